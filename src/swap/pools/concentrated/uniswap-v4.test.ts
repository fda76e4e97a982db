import { encodeAbiParameters, numberToHex, parseAbiParameters, toEventSelector } from 'viem/utils';
import { expect, it } from 'vitest';
import { concentratedPool } from '../../../../tests/support/concentrated-pool.ts';
import type { Log } from '../../chain/chain-reader.ts';
import { ethereum } from '../../deployments/chains/ethereum.ts';
import { parseAddress } from '../../model.ts';
import {
  applyUniswapV4Log,
  discoverUniswapV4,
  isUniswapV4LogOf,
  type UniswapV4Exchange,
  type UniswapV4Pool,
  type UniswapV4State,
} from './uniswap-v4.ts';

const exchange = ethereum.exchanges.find(
  (one): one is UniswapV4Exchange => one.kind === 'uniswap-v4',
)!;
const weth = ethereum.wrappedNative!;
const usdc = parseAddress('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48');
const dai = parseAddress('0x6B175474E89094C44Da98b954EedeAC495271d0F');

it('knows a pool by the hash of its key, not by its address [Q26] [Q27]', () => {
  const tokens = [usdc, weth] as const;
  const pools = discoverUniswapV4(exchange, { tokens, wrappedNative: weth });
  expect(new Set(pools.map(({ address }) => address))).toEqual(new Set([exchange.factory]));
  expect(new Set(pools.map(({ id }) => id)).size).toBe(8);
  const native = pools.find(({ key }) => key.fee === 500 && BigInt(key.currency0) === 0n);
  // The id of the pool for ETH and USDC at 0.05% on Ethereum.
  expect(native?.key.hash).toBe(
    '0x21c67e77068de97969ba93d4aab21826d33ca12bb9f565d8496e8fda8a82ca27',
  );
  // The wrapped token comes first, as the native currency does in the pool, though it sorts second.
  expect([native?.token0, native?.token1]).toEqual([weth, usdc]);
});

it('looks for the native currency only where the wrapped token is one of the two [Q26]', () => {
  const pools = discoverUniswapV4(exchange, { tokens: [usdc, dai], wrappedNative: weth });
  expect(pools.map(({ key }) => key.fee)).toEqual([100, 500, 3000, 10_000]);
  expect(discoverUniswapV4(exchange, { tokens: [usdc, weth] })).toHaveLength(4);
});

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
