/** How many swaps of each pool kind are compared; the environment asks for a longer run. */
export const swapCount = Number(process.env.TEST_SWAPS ?? 160);

export const swapsPerPool = 40;

export const comparisonRuns = {
  numRuns: Math.ceil(swapCount / swapsPerPool),
  seed: 13,
  // Looking for a smaller case would run the EVM for minutes before the difference is told.
  endOnFailure: true,
};

/** A long run on a busy machine takes up to 30 ms a swap. */
export const comparisonTimeout = 60_000 + swapCount * 30;
