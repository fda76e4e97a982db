import { expect, test } from 'vitest';
import { planRetry } from './deliver-lane.ts';

const settings = { retryFirst: 1_000, retryMax: 3_600_000, retryWindow: 86_400_000 };
const failed = {
  failure: { isFinal: false },
  attempts: 1,
  failingSince: 0,
  now: 0,
  fraction: 1,
};

test('pauses double from the first to the longest, reduced by random jitter [E14.28]', () => {
  const pauses = [1, 2, 3, 13, 40].map((attempts) => planRetry({ ...failed, attempts }, settings));
  expect(pauses).toEqual([1_000, 2_000, 4_000, 3_600_000, 3_600_000]);
  expect(planRetry({ ...failed, fraction: 0 }, settings)).toBe(500);
});

test('waits as long as the endpoint asks, within the window [E14.29]', () => {
  const asking = (retryAfter: number) =>
    planRetry({ ...failed, failure: { isFinal: false, retryAfter } }, settings);
  expect(asking(120_000)).toBe(120_000);
  expect(asking(10)).toBe(1_000);
  expect(asking(7 * 86_400_000)).toBe(86_400_000);
});

test('tries once more at the end of the window, and then gives up [E12.3, E14.28]', () => {
  const late = { ...failed, attempts: 30, now: 86_399_000 };
  expect(planRetry(late, settings)).toBe(86_400_000);
  expect(planRetry({ ...late, now: 86_400_000 }, settings)).toBeUndefined();
});

test('does not retry a final failure [E2.38]', () => {
  expect(planRetry({ ...failed, failure: { isFinal: true } }, settings)).toBeUndefined();
});

test('every setting takes effect as written [E12.8]', () => {
  const own = { retryFirst: 7_000, retryMax: 8_000, retryWindow: 10_000 };
  expect(planRetry(failed, own)).toBe(7_000);
  expect(planRetry({ ...failed, attempts: 2 }, own)).toBe(8_000);
  expect(planRetry({ ...failed, now: 9_000 }, own)).toBe(10_000);
});
