import { describe, expect, it } from 'vitest';
import { concentratedPool } from '../../../../tests/support/concentrated-pool.ts';
import type { ExactInput, SwapResult } from '../pool.ts';
import { type ConcentratedState, concentratedCurve } from './concentrated-pool.ts';
import { simulateConcentrated } from './simulate.ts';
import { MAX_SQRT_RATIO, MIN_SQRT_RATIO, sqrtRatioAtTick } from './ticks.ts';

const one = 1n << 96n;
const ether = 10n ** 18n;
const downwards = (amountIn: bigint): ExactInput => ({ zeroForOne: true, amountIn });
const upwards = (amountIn: bigint): ExactInput => ({ zeroForOne: false, amountIn });

function poolOf(
  positions: readonly [tickLower: number, tickUpper: number, liquidity: bigint][],
  settings: { fee?: number; tickSpacing?: number; sqrtPriceX96?: bigint } = {},
): ConcentratedState {
  return concentratedPool({
    fee: 3000,
    tickSpacing: 60,
    sqrtPriceX96: one,
    ...settings,
    positions: positions.map(([tickLower, tickUpper, liquidity]) => ({
      tickLower,
      tickUpper,
      liquidity,
    })),
  });
}

/** The result of a pool without liquidity in the direction of the swap. */
function refusal(pool: ConcentratedState): SwapResult<ConcentratedState> {
  return {
    amountInUsed: 0n,
    amountOut: 0n,
    stateAfter: pool,
    shortfall: 'liquidity-exhausted',
  };
}

/** The pool as known after reading only the ticks between the two bounds. */
function readBetween(pool: ConcentratedState, lowest: number, highest: number): ConcentratedState {
  return {
    ...pool,
    ticks: pool.ticks.filter(({ index }) => index >= lowest && index <= highest),
    lowestKnownTick: lowest,
    highestKnownTick: highest,
  };
}

describe('simulateConcentrated', () => {
  const fullRange = poolOf([[-887220, 887220, 2n * ether]]);

  // A vector of the contract's own test suite (Uniswap v3-core, UniswapV3Pool.swaps.spec.ts).
  it('gives what the pool gives within one range [Q13]', () => {
    const { amountInUsed, amountOut, stateAfter } = simulateConcentrated(
      fullRange,
      downwards(ether),
    );
    expect(amountInUsed).toBe(ether);
    expect(amountOut).toBe(665331998665331998n);
    expect(stateAfter.liquidity).toBe(2n * ether);
    expect(stateAfter.tick).toBe(-8090);
  });

  it('mirrors a swap at price one in the other direction [Q13]', () => {
    const { amountOut, stateAfter } = simulateConcentrated(fullRange, upwards(ether));
    expect(amountOut).toBe(665331998665331998n);
    expect(stateAfter.tick).toBe(8089);
  });

  it('adds and removes liquidity where it crosses a tick [Q13]', () => {
    const pool = poolOf([
      [-887220, 887220, ether],
      [-60, 60, 3n * ether],
      [120, 180, 5n * ether],
    ]);
    expect(simulateConcentrated(pool, upwards(ether / 1000n)).stateAfter.liquidity).toBe(
      4n * ether,
    );
    const beyond = simulateConcentrated(pool, upwards(ether / 70n));
    expect(beyond.stateAfter.tick).toBeGreaterThan(60);
    expect(beyond.stateAfter.tick).toBeLessThan(120);
    expect(beyond.stateAfter.liquidity).toBe(ether);
    expect(simulateConcentrated(pool, upwards(ether / 50n)).stateAfter.liquidity).toBe(6n * ether);
  });

  it('starts from an initialized tick with what lies above it, and leaves it downwards [Q13]', () => {
    const pool = poolOf([
      [-60, 0, 2n * ether],
      [0, 60, ether],
    ]);
    expect(pool.liquidity).toBe(ether);
    const above = simulateConcentrated(pool, upwards(1000n));
    expect(above.stateAfter).toMatchObject({ tick: 0, liquidity: ether });
    const below = simulateConcentrated(pool, downwards(1000n));
    expect(below.stateAfter).toMatchObject({ tick: -1, liquidity: 2n * ether });
  });

  it('stays below a tick it has crossed when the rest of the input moves no price [Q13]', () => {
    const narrow = poolOf([[-60, 60, 2n * ether]]);
    const { amountInUsed: upToTheTick } = simulateConcentrated(narrow, downwards(ether));
    const pool = poolOf([
      [-60, 60, ether],
      [-120, 60, ether],
    ]);
    const { stateAfter } = simulateConcentrated(pool, downwards(upToTheTick + 1n));
    expect(stateAfter).toMatchObject({
      sqrtPriceX96: sqrtRatioAtTick(-60),
      tick: -61,
      liquidity: ether,
    });
  });

  it('rounds the fee up at each word border it passes, initialized or not [Q13]', () => {
    const wide: [number, number, bigint] = [-200_000, 200_000, 10n ** 9n];
    const narrow = poolOf([wide], { fee: 100, tickSpacing: 1 });
    const coarse = poolOf([wide], { fee: 100, tickSpacing: 200 });
    const amountIn = 10n ** 11n;
    const [overManyWords, overFewWords] = [narrow, coarse].map((pool) =>
      simulateConcentrated(pool, downwards(amountIn)),
    );
    expect(overManyWords!.amountOut).toBeLessThan(overFewWords!.amountOut);
  });

  it('crosses a range without liquidity at no cost [Q13]', () => {
    const near = poolOf([[-60, 60, ether]]);
    const taken = simulateConcentrated(near, upwards(ether)).amountInUsed;
    const pool = poolOf([
      [-60, 60, ether],
      [60_000, 60_060, ether],
    ]);
    const { stateAfter, shortfall } = simulateConcentrated(pool, upwards(taken + ether / 100n));
    expect(shortfall).toBeUndefined();
    expect(stateAfter.tick).toBeGreaterThanOrEqual(60_000);
    expect(stateAfter.liquidity).toBe(ether);
  });

  it('reports the input it cannot use when the liquidity runs out [Q3] [Q13]', () => {
    const pool = poolOf([[-60, 60, ether]]);
    const exhausted = simulateConcentrated(pool, downwards(ether));
    expect(exhausted.shortfall).toBe('liquidity-exhausted');
    expect(exhausted.amountInUsed).toBeGreaterThan(0n);
    expect(exhausted.amountInUsed).toBeLessThan(ether);
    expect(exhausted.stateAfter).toMatchObject({
      sqrtPriceX96: sqrtRatioAtTick(-60),
      tick: -61,
      liquidity: 0n,
    });
    expect(simulateConcentrated(pool, downwards(exhausted.amountInUsed))).toEqual({
      ...exhausted,
      shortfall: undefined,
    });
  });

  it('takes nothing once it is exhausted, and swaps back from there [Q13]', () => {
    const { stateAfter } = simulateConcentrated(poolOf([[-60, 60, ether]]), downwards(ether));
    expect(simulateConcentrated(stateAfter, downwards(1000n))).toEqual(refusal(stateAfter));
    const back = simulateConcentrated(stateAfter, upwards(10n ** 15n));
    expect(back.amountInUsed).toBe(10n ** 15n);
    expect(back.stateAfter.liquidity).toBe(ether);
  });

  it('stops at the first word it does not know, and says so [Q3] [Q13]', () => {
    const pool = poolOf([[-887220, 887220, ether]]);
    const known = readBetween(pool, -256 * 60, 255 * 60);
    const below = simulateConcentrated(known, downwards(1000n * ether));
    expect(below.shortfall).toBe('ticks-unknown');
    expect(below.stateAfter.sqrtPriceX96).toBe(sqrtRatioAtTick(-256 * 60));
    const above = simulateConcentrated(known, upwards(1000n * ether));
    expect(above.shortfall).toBe('ticks-unknown');
    expect(above.stateAfter.sqrtPriceX96).toBe(sqrtRatioAtTick(255 * 60));
    for (const [offer, part] of [
      [downwards(below.amountInUsed), below],
      [upwards(above.amountInUsed), above],
    ] as const) {
      expect(simulateConcentrated(known, offer)).toEqual({ ...part, shortfall: undefined });
      expect(simulateConcentrated(pool, offer).amountOut).toBe(part.amountOut);
    }
  });

  it('does not call liquidity exhausted where unread ticks may bring more [Q13]', () => {
    const pool = poolOf([
      [-60, 60, ether],
      [60_000, 60_060, ether],
    ]);
    const known = readBetween(pool, -256 * 60, 255 * 60);
    const swap = simulateConcentrated(known, upwards(ether));
    expect(swap.shortfall).toBe('ticks-unknown');
    expect(swap.stateAfter.tick).toBe(60);
  });

  it.each([0n, 1n, 2n])('takes nothing of %i, which gives nothing [Q13]', (amountIn) => {
    expect(simulateConcentrated(fullRange, downwards(amountIn))).toEqual({
      amountInUsed: 0n,
      amountOut: 0n,
      stateAfter: fullRange,
      shortfall: 'no-output',
    });
  });

  it('takes nothing in the direction in which the price is at its limit [Q13]', () => {
    const positions: [number, number, bigint][] = [[-887272, 887272, ether]];
    for (const sqrtPriceX96 of [MIN_SQRT_RATIO, MIN_SQRT_RATIO + 1n]) {
      const lowest = poolOf(positions, { tickSpacing: 1, sqrtPriceX96 });
      expect(simulateConcentrated(lowest, downwards(ether))).toEqual(refusal(lowest));
      expect(simulateConcentrated(lowest, upwards(ether)).amountInUsed).toBe(ether);
    }
    const highest = poolOf(positions, { tickSpacing: 1, sqrtPriceX96: MAX_SQRT_RATIO - 1n });
    expect(simulateConcentrated(highest, upwards(ether))).toEqual(refusal(highest));
    expect(simulateConcentrated(highest, downwards(ether)).amountInUsed).toBe(ether);
  });

  it('stops one unit short of the last price although liquidity goes on [Q13]', () => {
    const pool = poolOf([[-887272, 887272, 1000n]], { tickSpacing: 1 });
    const swap = simulateConcentrated(pool, downwards(2n ** 128n));
    expect(swap.shortfall).toBe('liquidity-exhausted');
    expect(swap.stateAfter.sqrtPriceX96).toBe(MIN_SQRT_RATIO + 1n);
    expect(swap.stateAfter.liquidity).toBe(1000n);
  });

  it('takes nothing when the ticks contradict the liquidity, as the pool would revert [Q13]', () => {
    const broken = { ...poolOf([[-60, 60, ether]]), liquidity: ether - 1n };
    expect(simulateConcentrated(broken, downwards(ether)).shortfall).toBe('ticks-inconsistent');
  });

  it('leaves the state it was given alone', () => {
    const before = structuredClone(fullRange);
    simulateConcentrated(fullRange, downwards(ether));
    expect(fullRange).toEqual(before);
  });
});

describe('a fee for each direction', () => {
  const pool = poolOf([[-600, 600, 1_000n * ether]]);
  const directional = { ...pool, feeOneForZero: 500 };

  it('is paid by the token that comes in, in the arithmetic and in the curve', () => {
    const cheap = { ...pool, fee: 500 };
    for (const [offer, same] of [
      [downwards(ether), pool],
      [upwards(ether), cheap],
    ] as const) {
      const { amountOut } = simulateConcentrated(directional, offer);
      expect(amountOut).toBe(simulateConcentrated(same, offer).amountOut);
      const { keep } = concentratedCurve(directional, offer.zeroForOne);
      expect(keep).toBe((1e6 - same.fee) / 1e6);
    }
  });
});
