/** How often a property is tried, always with the same cases; the environment asks for more. */
export const propertyRuns = { numRuns: Number(process.env.TEST_RUNS ?? 1_000), seed: 13 };
