import { expect, test } from 'vitest';
import { openHeartbeat } from '../../src/app/heartbeat.ts';
import { kernelMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { createSteadyClock, systemClock } from '../../src/kernel/wait/clock.ts';
import { testEngines } from '../support/test-engines.ts';

const [, { createStore }] = testEngines;
const hour = 3_600_000;
const onFailure = () => {};

test('a process whose clock runs an hour ahead reports it, and moves no other clock [T7]', async () => {
  const database = await (await createStore()).open();
  await migrate(database, kernelMigrations);
  const wrong = createSteadyClock({ ...systemClock, now: () => systemClock.now() + hour });
  const ahead = await openHeartbeat({ database, clock: wrong, onFailure });
  expect(ahead.aheadOfStore()).toBeGreaterThan(hour - 60_000);
  const clock = createSteadyClock(systemClock);
  const right = await openHeartbeat({ database, clock, onFailure });
  expect(Math.abs(right.aheadOfStore())).toBeLessThan(60_000);
  // It may be pulled ahead by a few minutes, but not by the hour.
  expect(clock.ahead()).toBeLessThanOrEqual(5 * 60_000);
});

test('a process goes on from the latest time that another one wrote [D6]', async () => {
  const database = await (await createStore()).open();
  await migrate(database, kernelMigrations);
  const minute = 60_000;
  const first = createSteadyClock({ ...systemClock, now: () => systemClock.now() + minute });
  await openHeartbeat({ database, clock: first, onFailure });
  const clock = createSteadyClock(systemClock);
  await openHeartbeat({ database, clock, onFailure });
  expect(clock.ahead()).toBeGreaterThan(minute / 2);
});
