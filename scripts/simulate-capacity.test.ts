import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createSeededFractions } from '../tests/support/seeded-fractions.ts';
import { readMeasuredCosts } from './capacity.ts';
import { simulateCapacity, simulatePlan } from './simulate-capacity.ts';

it('the page shows the simulated figures of the planned processes [T13]', () => {
  const page = readFileSync(new URL('../docs/scale.md', import.meta.url), 'utf8');
  for (const row of simulatePlan(readMeasuredCosts())) expect(page).toContain(row);
});

const load = { rate: 1_000, micros: 1_000, seconds: 60 };

it('work waits less than 0.1 s with twice the cores that the load needs', () => {
  const waits = simulateCapacity({ ...load, processes: 2 }, createSeededFractions(1));
  expect(waits.longest).toBeLessThan(0.1);
});

it('the backlog of too few processes keeps growing', () => {
  const { atEnd } = simulateCapacity(
    { ...load, rate: 2_500, processes: 2 },
    createSeededFractions(1),
  );
  // A fifth of what comes in a minute is left, 6 seconds of work for each process and more.
  expect(atEnd).toBeGreaterThan(10);
});

it('the work of a dead process waits for its lease to expire, and the others catch up', () => {
  const dying = { ...load, rate: 2_000, processes: 4, diesAt: 20, leaseSeconds: 6 };
  const { longest, madeGoodAfter, atEnd } = simulateCapacity(dying, createSeededFractions(1));
  expect(longest).toBeGreaterThan(5.8);
  expect(madeGoodAfter).toBeGreaterThan(6);
  expect(madeGoodAfter).toBeLessThan(12);
  expect(atEnd).toBeLessThan(0.2);
  // One process cannot do the work of two.
  const two = simulateCapacity({ ...dying, processes: 3, rate: 2_100 }, createSeededFractions(1));
  expect(two.madeGoodAfter).toBeUndefined();
});
