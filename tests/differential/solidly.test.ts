import fc from 'fast-check';
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, expect } from 'vitest';
import type { ExactInput } from '../../src/swap/pools/pool.ts';
import { simulateSolidly } from '../../src/swap/pools/solidly/simulate.ts';
import { offersToSolidly, solidlySettings } from '../support/random-solidly-pair.ts';
import { type SolidlySettings, solidlyPair } from '../support/solidly-pair.ts';
import { testsWith } from '../support/tests-with.ts';
import {
  compareInRandomPools,
  comparisonTimeout,
  swapCount,
  swapsPerPool,
} from './comparison-runs.ts';
import { openProbe, type Probe } from './open-probe.ts';

const { describe, it } = testsWith('contracts');

const probeAbi = parseAbi([
  'struct Settings { bool isStable; uint8 decimals0; uint8 decimals1; uint256 reserve0; uint256 reserve1; }',
  'struct Offer { bool zeroForOne; uint256 amountIn; }',
  'struct Outcome { bool refused; uint256 amountOut; uint256 reserve0; uint256 reserve1; }',
  'function run(Settings settings, Offer[] offers) returns (Outcome[] outcomes)',
]);

describe('a pair of Solidly', () => {
  let probe: Probe;

  beforeAll(async () => {
    probe = await openProbe('SolidlyProbe');
  });
  afterAll(() => probe.evm.close());

  it(
    `swaps as DystPair does, volatile and stable, ${swapCount} times [Q26]`,
    async () => {
      const experiments = solidlySettings.chain((settings) =>
        fc.record({
          settings: fc.constant(settings),
          offers: fc.array(offersToSolidly(settings), {
            minLength: swapsPerPool,
            maxLength: swapsPerPool,
          }),
        }),
      );
      await compareInRandomPools(experiments, compare);
    },
    comparisonTimeout,
  );

  async function compare({
    settings,
    offers,
  }: {
    settings: SolidlySettings;
    offers: readonly ExactInput[];
  }) {
    const outcomes = decodeFunctionResult({
      abi: probeAbi,
      data: await probe.call(encodeFunctionData({ abi: probeAbi, args: [settings, offers] })),
    });
    let state = solidlyPair(settings);
    for (const [index, offer] of offers.entries()) {
      const ours = simulateSolidly(state, offer);
      expect({ offer, state, ...outcomes[index]! }).toEqual({
        offer,
        state,
        refused: ours.shortfall !== undefined,
        amountOut: ours.amountOut,
        reserve0: ours.stateAfter.reserve0,
        reserve1: ours.stateAfter.reserve1,
      });
      state = ours.stateAfter;
    }
  }
});
