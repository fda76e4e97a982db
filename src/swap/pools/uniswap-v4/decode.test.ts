import { encodeAbiParameters, numberToHex, parseAbiParameters, toEventSelector } from 'viem/utils';
import { expect, it } from 'vitest';
import { concentratedPool } from '../../../../tests/support/concentrated-pool.ts';
import type { Log } from '../../chain/chain-reader.ts';
import { applyUniswapV4Log, isUniswapV4LogOf } from './decode.ts';
import type { UniswapV4Pool, UniswapV4State } from './uniswap-v4-pool.ts';

const hash = numberToHex(7, { size: 32 });
const { kind: _kind, ...pool } = concentratedPool({
  fee: 3000,
  tickSpacing: 60,
  sqrtPriceX96: 1n << 96n,
  positions: [{ tickLower: -600, tickUpper: 600, liquidity: 10n ** 18n }],
});
const key = { hash, currency0: pool.token0, currency1: pool.token1, fee: 3000, tickSpacing: 60 };
const state: UniswapV4State = {
  ...pool,
  kind: 'uniswap-v4',
  key,
  protocolFeeZeroForOne: 0,
  protocolFeeOneForZero: 0,
};

function log(event: string, data: `0x${string}` = '0x', id = hash): Log {
  const sender = numberToHex(1, { size: 32 });
  const topics = event.startsWith('ProtocolFee') ? [id] : [id, sender];
  return { address: pool.address, topics: [toEventSelector(event), ...topics], data };
}

const modified = (tickLower: number, tickUpper: number, change: bigint) =>
  log(
    'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)',
    encodeAbiParameters(parseAbiParameters('int24, int24, int256, bytes32'), [
      tickLower,
      tickUpper,
      change,
      hash,
    ]),
  );

it('follows swaps, liquidity and the fee of the protocol [Q16] [Q26]', () => {
  const swap = log(
    'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
    encodeAbiParameters(parseAbiParameters('int128, int128, uint160, uint128, int24, uint24'), [
      ...[-5n, 4n, 3n << 95n, 9n],
      8_109,
      3000,
    ] as [bigint, bigint, bigint, bigint, number, number]),
  );
  expect(applyUniswapV4Log(state, swap)).toMatchObject({
    sqrtPriceX96: 3n << 95n,
    liquidity: 9n,
    tick: 8_109,
    fee: 3000,
  });
  expect(applyUniswapV4Log(state, modified(-600, 1200, 5n))).toMatchObject({
    liquidity: 10n ** 18n + 5n,
    ticks: [
      { index: -600, liquidityNet: 10n ** 18n + 5n },
      { index: 600, liquidityNet: -(10n ** 18n) },
      { index: 1200, liquidityNet: -5n },
    ],
  });
  const fees = log(
    'event ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee)',
    encodeAbiParameters(parseAbiParameters('uint24'), [(300 << 12) | 700]),
  );
  expect(applyUniswapV4Log(state, fees)).toMatchObject({
    protocolFeeZeroForOne: 700,
    protocolFeeOneForZero: 300,
  });
});

it('discards the state where a log is not enough to update it [Q16] [Q26]', () => {
  // Only the manager knows what is left of a tick after its liquidity is removed.
  expect(applyUniswapV4Log(state, modified(-600, 600, -(10n ** 18n)))).toBeUndefined();
  expect(applyUniswapV4Log(state, log('event Upgraded(bytes32 indexed id)'))).toBeUndefined();
});

it('takes a log of the manager for its own only if it names the pool [Q26] [Q27]', () => {
  const own: UniswapV4Pool = { ...state, exchange: 'uniswap-v4' };
  expect(isUniswapV4LogOf(own, modified(-600, 600, 1n))).toBe(true);
  const foreign = log('event Donate(bytes32 indexed id)', '0x', numberToHex(8, { size: 32 }));
  expect(isUniswapV4LogOf(own, foreign)).toBe(false);
});
