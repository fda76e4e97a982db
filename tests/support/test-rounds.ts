/** How often something is killed in each test of faults: 200 is the proof, the default a reminder. */
export const testRounds = Number(process.env.TEST_ROUNDS ?? 4);
