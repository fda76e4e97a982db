import type { Address } from 'viem';
import { encodeAbiParameters, encodeEventTopics, parseAbi, parseAbiParameters } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import { concentratedPool } from '../../../../tests/support/concentrated-pool.ts';
import type { Log } from '../../chain/chain-reader.ts';
import type { ConcentratedState } from './concentrated-pool.ts';
import { applyConcentratedLog } from './decode.ts';

const abi = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)',
  'event Unheard(address indexed sender)',
]);
const someone: Address = '0x000000000000000000000000000000000000dEaD';

const state: ConcentratedState = {
  ...concentratedPool({
    fee: 3000,
    tickSpacing: 60,
    sqrtPriceX96: 1n << 96n,
    positions: [
      { tickLower: -600, tickUpper: 600, liquidity: 1000n },
      { tickLower: 600, tickUpper: 1200, liquidity: 400n },
    ],
  }),
  lowestKnownTick: -15_360,
  highestKnownTick: 15_300,
};

const log = (topics: readonly unknown[], data: Log['data']): Log => ({
  address: state.address,
  topics: topics as Log['topics'],
  data,
});
const swapTo = (tick: number) => {
  const topics = encodeEventTopics({
    abi,
    eventName: 'Swap',
    args: { sender: someone, recipient: someone },
  });
  const types = parseAbiParameters('int256, int256, uint160, uint128, int24');
  return log(topics, encodeAbiParameters(types, [1n, -1n, 5n << 33n, 7n, tick]));
};
const mint = (tickLower: number, tickUpper: number, amount: bigint) => {
  const args = { owner: someone, tickLower, tickUpper };
  const topics = encodeEventTopics({ abi, eventName: 'Mint', args });
  const types = parseAbiParameters('address, uint128, uint256, uint256');
  return log(topics, encodeAbiParameters(types, [someone, amount, 1n, 1n]));
};
const burn = (tickLower: number, tickUpper: number, amount: bigint) => {
  const args = { owner: someone, tickLower, tickUpper };
  const topics = encodeEventTopics({ abi, eventName: 'Burn', args });
  return log(
    topics,
    encodeAbiParameters(parseAbiParameters('uint128, uint256, uint256'), [amount, 1n, 1n]),
  );
};
const nets = (after: ConcentratedState | undefined) =>
  after?.ticks.map(({ index, liquidityNet }) => [index, liquidityNet]);

describe('applyConcentratedLog', () => {
  it('takes price, liquidity and tick from a swap', () => {
    expect(applyConcentratedLog(state, swapTo(-59))).toEqual({
      ...state,
      sqrtPriceX96: 5n << 33n,
      liquidity: 7n,
      tick: -59,
    });
  });

  it('discards the state when the price has left the known ticks', () => {
    expect(applyConcentratedLog(state, swapTo(15_301))).toBeUndefined();
    expect(applyConcentratedLog(state, swapTo(-15_361))).toBeUndefined();
  });

  it('adds a position to its ticks, and to the liquidity where the price lies within', () => {
    const around = applyConcentratedLog(state, mint(-60, 60, 5n));
    expect(around?.liquidity).toBe(1005n);
    expect(nets(around)).toEqual([
      [-600, 1000n],
      [-60, 5n],
      [60, -5n],
      [600, -600n],
      [1200, -400n],
    ]);
    expect(applyConcentratedLog(state, mint(60, 120, 5n))?.liquidity).toBe(1000n);
    expect(applyConcentratedLog(state, mint(0, 60, 5n))?.liquidity).toBe(1005n);
    expect(applyConcentratedLog(state, mint(-60, 0, 5n))?.liquidity).toBe(1000n);
  });

  it('keeps a tick whose net liquidity is zero after a mint', () => {
    expect(nets(applyConcentratedLog(state, mint(600, 660, 600n)))).toContainEqual([600, 0n]);
  });

  it('counts a position that reaches beyond the known ticks only where they are known', () => {
    const wide = applyConcentratedLog(state, mint(-60_000, 60, 5n));
    expect(wide?.liquidity).toBe(1005n);
    expect(nets(wide)).toEqual([
      [-600, 1000n],
      [60, -5n],
      [600, -600n],
      [1200, -400n],
    ]);
  });

  it('takes a part of a position out again', () => {
    const less = applyConcentratedLog(state, burn(-600, 600, 250n));
    expect(less?.liquidity).toBe(750n);
    expect(nets(less)).toEqual([
      [-600, 750n],
      [600, -350n],
      [1200, -400n],
    ]);
  });

  it('discards the state when a tick nets to zero after a burn, since it may be gone', () => {
    expect(applyConcentratedLog(state, burn(600, 1200, 400n))).toBeUndefined();
  });

  it('leaves the pool unchanged by an empty burn or a flash loan', () => {
    expect(applyConcentratedLog(state, burn(600, 1200, 0n))).toBe(state);
    const topics = encodeEventTopics({
      abi,
      eventName: 'Flash',
      args: { sender: someone, recipient: someone },
    });
    const data = encodeAbiParameters(parseAbiParameters('uint256, uint256, uint256, uint256'), [
      1n,
      1n,
      1n,
      1n,
    ]);
    expect(applyConcentratedLog(state, log(topics, data))).toBe(state);
  });

  it('discards the state on a log that no such pool emits', () => {
    const topics = encodeEventTopics({ abi, eventName: 'Unheard', args: { sender: someone } });
    expect(applyConcentratedLog(state, log(topics, '0x'))).toBeUndefined();
    expect(applyConcentratedLog(state, log([], '0x'))).toBeUndefined();
    expect(applyConcentratedLog(state, { ...swapTo(0), data: '0x1234' })).toBeUndefined();
  });
});
