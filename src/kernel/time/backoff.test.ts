import { expect, test } from 'vitest';
import { backoffDelay } from './backoff.ts';

test('the pause doubles from a second to five minutes', () => {
  const delays = [1, 2, 3, 9, 10, 2_000].map((attempts) => backoffDelay({ attempts, fraction: 1 }));
  expect(delays).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
});

test('chance takes away up to half of it', () => {
  expect(backoffDelay({ attempts: 1, fraction: 0 })).toBe(500);
  expect(backoffDelay({ attempts: 1, fraction: 0.5 })).toBe(750);
});
