import { expect, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { startWorker } from '../../../tests/support/start-worker.ts';
import { createPruner, type Pruning } from './worker.ts';

const pauseMs = 60_000;

function takeFrom(rows: { left: number }): Pruning {
  return async ({ limit }) => {
    const taken = Math.min(rows.left, limit);
    rows.left -= taken;
    return taken;
  };
}

test('takes small steps until nothing is left, then pauses', async () => {
  const clock = createFakeClock();
  const [rows, others] = [{ left: 1_000 }, { left: 1_700 }];
  const steps: number[] = [];
  const counted: Pruning = (step) => {
    steps.push(step.now);
    return takeFrom(rows)(step);
  };
  startWorker(
    createPruner({ name: 'test', clock, prunings: [counted, takeFrom(others)], pauseMs }),
  );
  await clock.whenAsleep();
  expect([rows.left, others.left]).toEqual([0, 0]);
  expect(steps).toHaveLength(3);
  rows.left = 1;
  clock.advance(pauseMs);
  await clock.whenAsleep();
  expect(rows.left).toBe(0);
  expect(steps.at(-1)).toBe(clock.now());
});

test('prunes the rest where one fails, tells of it and tries again', async () => {
  const clock = createFakeClock();
  const rows = { left: 3 };
  const failures: unknown[] = [];
  const failing: Pruning = async () => {
    throw new Error('the store is down');
  };
  startWorker(
    createPruner({
      name: 'test',
      clock,
      prunings: [failing, takeFrom(rows)],
      pauseMs,
      onFailure: (error) => failures.push(error),
    }),
  );
  await clock.whenAsleep();
  expect(rows.left).toBe(0);
  clock.advance(pauseMs);
  await clock.whenAsleep();
  expect(failures).toHaveLength(2);
});

test('ends in the middle of a round', async () => {
  const stop = new AbortController();
  const endless: Pruning = async ({ limit }) => {
    stop.abort();
    return limit;
  };
  const clock = createFakeClock();
  await createPruner({ name: 'test', clock, prunings: [endless], pauseMs }).run(stop.signal);
});
