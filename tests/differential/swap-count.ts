/** How many swaps of each pool kind are compared; the environment asks for a longer run. */
export const swapCount = Number(process.env.TEST_SWAPS ?? 4_000);

/** A long run on a busy machine takes up to 30 ms a swap. */
export const comparisonTimeout = 60_000 + swapCount * 30;
