/** How many cases a property is tried with, always the same ones; `TEST_RUNS` asks for more. */
export const propertyRuns = { numRuns: Number(process.env.TEST_RUNS ?? 1_000), seed: 13 };
