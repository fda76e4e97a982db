import { expect, test } from 'vitest';
import { createTurnstile } from './turnstile.ts';

test('lets as many through as it has places, the others in order, failures included', async () => {
  const turnstile = createTurnstile(2);
  const begun: number[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const passing = [0, 1, 2, 3].map((n) => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return turnstile.pass(() => {
      begun.push(n);
      return end.promise;
    });
  });
  expect(begun).toEqual([0, 1]);
  expect(turnstile.waiting).toBe(2);
  ends[1]!.reject(new Error('broken'));
  await expect(passing[1]).rejects.toThrow('broken');
  expect(begun).toEqual([0, 1, 2]);
  ends[0]!.resolve();
  await passing[0];
  expect(begun).toEqual([0, 1, 2, 3]);
});
