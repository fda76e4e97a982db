import { expect, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { backoffDelay, createAlarm } from './alarm.ts';

const never = new AbortController().signal;

test('a sleep ends at its time', async () => {
  const clock = createFakeClock();
  const slept = createAlarm(clock).sleep(100, never);
  clock.advance(100);
  expect(await slept).toBe(false);
});

test('a ring ends the sleep', async () => {
  const alarm = createAlarm(createFakeClock());
  const slept = alarm.sleep(100, never);
  alarm.ring();
  expect(await slept).toBe(true);
});

test('a ring while nobody sleeps ends the next sleep, and only that', async () => {
  const clock = createFakeClock();
  const alarm = createAlarm(clock);
  alarm.ring();
  alarm.ring();
  await alarm.sleep(100, never);
  let isAwake = false;
  const slept = alarm.sleep(100, never).then(() => {
    isAwake = true;
  });
  clock.advance(99);
  await Promise.resolve();
  expect(isAwake).toBe(false);
  clock.advance(1);
  await slept;
});

test('a ring that was silenced ends no sleep', async () => {
  const clock = createFakeClock();
  const alarm = createAlarm(clock);
  alarm.ring();
  alarm.silence();
  const slept = alarm.sleep(100, never);
  clock.advance(100);
  expect(await slept).toBe(false);
});

test('a signal ends the sleep, even one that fired before', async () => {
  const alarm = createAlarm(createFakeClock());
  const stop = new AbortController();
  const slept = alarm.sleep(100, stop.signal);
  stop.abort();
  await slept;
  await alarm.sleep(100, stop.signal);
});

test('the pause doubles from a second to five minutes', () => {
  const delays = [1, 2, 3, 9, 10, 2_000].map((attempts) => backoffDelay({ attempts, fraction: 1 }));
  expect(delays).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
});

test('chance takes away up to half of it', () => {
  expect(backoffDelay({ attempts: 1, fraction: 0 })).toBe(500);
  expect(backoffDelay({ attempts: 1, fraction: 0.5 })).toBe(750);
});
