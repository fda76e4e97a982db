/** How many kills each fault test makes: 200 is the proof, the default is a quick check. */
export const testRounds = Number(process.env.TEST_ROUNDS ?? 4);
