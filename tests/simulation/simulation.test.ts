import { expect, test } from 'vitest';
import { openSimulation } from './run-simulation.ts';

test('delivers everything where nothing goes wrong', async () => {
  const run = openSimulation();
  for (let seed = 1; seed <= 5; seed++) {
    expect(await run({ seed, faults: [] })).toMatchObject({ seed, violations: [] });
  }
});

test('happens in the same way for the same seed', async () => {
  const run = openSimulation();
  for (const seed of [1, 2, 3]) {
    const [first, second] = [await run({ seed }), await openSimulation()({ seed })];
    expect(second).toEqual(first);
    expect(first.steps).toBeGreaterThan(1_000);
  }
});
