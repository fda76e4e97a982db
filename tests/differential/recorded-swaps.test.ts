import { readFileSync } from 'node:fs';
import type { Hex } from 'viem';
import { expect, it } from 'vitest';
import { createPackedReader } from '../../src/swap/chain/packed-calls.ts';
import { arbitrum } from '../../src/swap/deployments/chains/arbitrum.ts';
import {
  type AlgebraExchange,
  discoverAlgebra,
  readAlgebraState,
} from '../../src/swap/pools/concentrated/algebra.ts';
import type { ExactInput, PoolState } from '../../src/swap/pools/pool.ts';
import { poolKindOf } from '../../src/swap/pools/pool-kinds.ts';
import { concentratedPool } from '../support/concentrated-pool.ts';
import { solidlyPair } from '../support/solidly-pair.ts';

/** Pools as they were made, each with the swaps that its contract answered one after another. */
type Recorded<Settings, Swap> = { readonly pools: readonly (Settings & { swaps: Swap[] })[] };

type PairSettings = Record<'reserve0' | 'reserve1' | 'feeBps', string> &
  Record<'decimals0' | 'decimals1', number> & { readonly isStable: boolean };
/** The direction, the input, the output unless the pair refused, and both reserves after it. */
type PairSwap = readonly [boolean, string, string | null, string, string];

type TickSettings = Record<'fee' | 'tickSpacing', number> & {
  readonly sqrtPriceX96: string;
  readonly positions: readonly { tickLower: number; tickUpper: number; liquidity: string }[];
};
/** The direction, the input, what was taken of it unless it was refused, the output, and the pool after it. */
type TickSwap = readonly [boolean, string, string | null, string, string, number, string];

/** The answer of `PoolReader` for a pool, and the pool's fees for token 0 and for token 1 at that time. */
type ReadSettings = { readonly answer: Hex; readonly fees: readonly [number, number] };

it('swaps as pairs of Velodrome V2 and Aerodrome did, volatile and stable [Q26]', () => {
  const { pools } = read<PairSettings, PairSwap>('velodrome-v2-swaps.json');
  for (const { swaps, ...settings } of pools) {
    const [reserve0, reserve1] = [BigInt(settings.reserve0), BigInt(settings.reserve1)];
    const pair = solidlyPair({ ...settings, reserve0, reserve1 });
    let state = { ...pair, generation: 'velodrome-v2', feeBps: BigInt(settings.feeBps) };
    for (const [zeroForOne, amountIn, amountOut, after0, after1] of swaps) {
      const ours = simulate(state, { zeroForOne, amountIn: BigInt(amountIn) });
      expect({ refused: ours.shortfall !== undefined, amountOut: ours.amountOut }).toEqual({
        refused: amountOut === null,
        amountOut: BigInt(amountOut ?? 0),
      });
      state = ours.stateAfter;
      expect(state).toMatchObject({ reserve0: BigInt(after0), reserve1: BigInt(after1) });
    }
  }
  expect(pools.flatMap(({ swaps }) => swaps)).toHaveLength(320);
});

it('swaps as pools of Slipstream did [Q26]', () => {
  const { pools } = read<TickSettings, TickSwap>('slipstream-swaps.json');
  for (const { swaps, ...settings } of pools) {
    const positions = settings.positions.map(({ liquidity, ...range }) => ({
      ...range,
      liquidity: BigInt(liquidity),
    }));
    const sqrtPriceX96 = BigInt(settings.sqrtPriceX96);
    const state: PoolState = {
      ...concentratedPool({ ...settings, sqrtPriceX96, positions }),
      kind: 'slipstream',
    };
    expectSameSwaps(state, swaps);
  }
  expect(pools.flatMap(({ swaps }) => swaps)).toHaveLength(180);
});

it('reads pools of Camelot V3 as they answered, and swaps as they did at the fee of each direction [Q26]', () => {
  const { pools } = read<ReadSettings, TickSwap>('camelot-v3-swaps.json');
  const camelot = arbitrum.exchanges.find(({ name }) => name === 'camelot-v3') as AlgebraExchange;
  const [pool] = discoverAlgebra(camelot, { tokens: [camelot.factory, camelot.poolDeployer!] });
  for (const { answer: packed, fees, swaps } of pools) {
    const answer = createPackedReader(packed);
    // The version of the answer, and that the pool was found.
    expect([answer.number(1), answer.number(1)]).toEqual([1, 1]);
    const state = readAlgebraState(pool!, { answer, blockNumber: 1n });
    if (state === 'unreadable') throw new Error('The pool cannot be read.');
    expect([state.fee, state.feeOneForZero ?? state.fee]).toEqual(fees);
    expectSameSwaps(state, swaps);
  }
  expect(pools.flatMap(({ swaps }) => swaps)).toHaveLength(200);
});

/** Swaps one after another in a pool with ticks. Each swap and the state after it must match the contract's. */
function expectSameSwaps(pool: PoolState, swaps: readonly TickSwap[]): void {
  let state = pool;
  for (const [zeroForOne, amountIn, taken, amountOut, price, tick, liquidity] of swaps) {
    const ours = simulate(state, { zeroForOne, amountIn: BigInt(amountIn) });
    // Ours takes nothing of an input that is too small for any output.
    const givesNothing = taken === null || amountOut === '0';
    expect(ours).toMatchObject({
      amountInUsed: givesNothing ? 0n : BigInt(taken),
      amountOut: BigInt(amountOut),
      stateAfter: { sqrtPriceX96: BigInt(price), tick, liquidity: BigInt(liquidity) },
    });
    state = ours.stateAfter;
  }
}

function read<Settings, Swap>(file: string): Recorded<Settings, Swap> {
  return JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), 'utf8'));
}

/** Simulates by the pool's kind, on the state that the last swap left. */
function simulate<State extends PoolState>(state: State, offer: ExactInput) {
  const { stateAfter, ...swapped } = poolKindOf(state).simulate(state, offer);
  return { ...swapped, stateAfter: stateAfter as State };
}
