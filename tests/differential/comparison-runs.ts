import fc from 'fast-check';

/** How many swaps of each pool kind are compared; `TEST_SWAPS` asks for a longer run. */
export const swapCount = Number(process.env.TEST_SWAPS ?? 160);

export const swapsPerPool = 40;

/** A long run reports its progress after so many swaps. */
const progressEvery = 10_000;

/** A long run on a busy machine takes up to 60 ms a swap. */
export const comparisonTimeout = 60_000 + swapCount * 60;

/**
 * Compares the contract and our arithmetic in random pools, `swapsPerPool` swaps in each, until `swapCount` swaps were
 * compared. `TEST_SEED` chooses other pools and swaps.
 */
export async function compareInRandomPools<Experiment>(
  experiments: fc.Arbitrary<Experiment>,
  compare: (experiment: Experiment) => Promise<void>,
): Promise<void> {
  let compared = 0;
  const property = fc.asyncProperty(experiments, async (experiment) => {
    await compare(experiment);
    compared += swapsPerPool;
    if (compared % progressEvery === 0) console.log(`${compared} swaps without a difference`);
  });
  await fc.assert(property, {
    numRuns: Math.ceil(swapCount / swapsPerPool),
    seed: Number(process.env.TEST_SEED ?? 13),
    // Shrinking would run the EVM for minutes before it reports the difference.
    endOnFailure: true,
  });
}
