import fc from 'fast-check';
import { type Address, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { expect } from 'vitest';
import { simulateConcentrated } from '../../src/swap/pools/concentrated/simulate.ts';
import type { ExactInput } from '../../src/swap/pools/pool.ts';
import { type ConcentratedSettings, concentratedPool } from '../support/concentrated-pool.ts';
import { offersToConcentrated } from '../support/random-concentrated-pool.ts';
import { swapsPerPool } from './comparison-runs.ts';
import type { Probe } from './open-probe.ts';
import { limitsOf, type PriceLimits } from './price-limits.ts';

const probeAbi = parseAbi([
  'struct Position { int24 tickLower; int24 tickUpper; uint128 liquidity; }',
  'struct PriceLimits { uint160 lowest; uint160 highest; }',
  'struct PoolSettings { uint24 fee; int24 tickSpacing; uint160 sqrtPriceX96; uint8 feeProtocol; Position[] positions; PriceLimits limits; }',
  'struct Offer { bool zeroForOne; uint256 amountIn; }',
  'struct PoolState { uint160 sqrtPriceX96; int24 tick; uint128 liquidity; }',
  'struct Outcome { bool refused; uint256 amountIn; uint256 amountOut; uint256 amountOutAgain; PoolState stateAfter; }',
  'function run(address factory, PoolSettings settings, Offer[] offers) returns (PoolState initial, Outcome[] outcomes)',
]);

/** A pool to make, and the offers to it, one after another. */
export type ConcentratedExperiment = {
  readonly settings: ConcentratedSettings;
  /** Zero keeps the pool's initial value. */
  readonly feeProtocol: number;
  readonly limits: PriceLimits;
  readonly offers: readonly ExactInput[];
};

/** Swaps in random pools of these settings, with one of these protocol fees. */
export function concentratedExperiments(
  pools: fc.Arbitrary<ConcentratedSettings>,
  feeProtocols: readonly number[],
): fc.Arbitrary<ConcentratedExperiment> {
  return pools.chain((settings) =>
    fc.record({
      settings: fc.constant(settings),
      feeProtocol: fc.constantFrom(...feeProtocols),
      limits: fc.constant(limitsOf(settings)),
      offers: fc.array(offersToConcentrated(settings), {
        minLength: swapsPerPool,
        maxLength: swapsPerPool,
      }),
    }),
  );
}

/** Makes the pool, and compares the contract with our arithmetic on the same offers, one after another. */
export async function compareConcentrated(
  { probe, factory }: { readonly probe: Probe; readonly factory: Address },
  { settings, feeProtocol, limits, offers }: ConcentratedExperiment,
): Promise<void> {
  const [initial, outcomes] = decodeFunctionResult({
    abi: probeAbi,
    data: await probe.call(
      encodeFunctionData({
        abi: probeAbi,
        args: [factory, { ...settings, feeProtocol, limits }, offers],
      }),
    ),
  });

  let state = concentratedPool(settings);
  expect(state).toMatchObject(initial);
  for (const [index, offer] of offers.entries()) {
    const ours = simulateConcentrated(state, offer);
    const theirs = outcomes[index]!;
    // A pool keeps or refuses an input that is too small for any output. In both cases ours takes nothing.
    const givesNothing = theirs.refused || theirs.amountOut === 0n;
    expect(ours).toMatchObject({
      amountInUsed: givesNothing ? 0n : theirs.amountIn,
      amountOut: theirs.amountOut,
      stateAfter: theirs.stateAfter,
    });
    expect(theirs.amountOutAgain).toBe(theirs.amountOut);
    expect(ours.shortfall === undefined).toBe(!givesNothing && theirs.amountIn === offer.amountIn);
    state = ours.stateAfter;
  }
}
