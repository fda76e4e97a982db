import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createTurnstile } from './turnstile.ts';

test('admits as many as it has places and the others in order, even after failures', async () => {
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

test('releases callers who give up while they wait, without starting their work', async () => {
  const turnstile = createTurnstile(1);
  const end = Promise.withResolvers<void>();
  const first = turnstile.pass(() => end.promise);
  const waiting = new AbortController();
  const begun: string[] = [];
  const second = turnstile.pass(async () => void begun.push('second'), waiting);
  const third = turnstile.pass(async () => void begun.push('third'), waiting);
  const other = new AbortController();
  const gone = turnstile.pass(async () => void begun.push('gone'), other);
  other.abort(new Error('gave up'));
  await expect(gone).rejects.toThrow('gave up');
  expect(turnstile.waiting).toBe(2);
  end.resolve();
  await Promise.all([first, second, third]);
  expect(begun).toEqual(['second', 'third']);
  expect(getEventListeners(waiting.signal, 'abort')).toHaveLength(0);
});

test('lets those who wait for different keys take turns', async () => {
  const turnstile = createTurnstile(1);
  const end = Promise.withResolvers<void>();
  const begun: string[] = [];
  const first = turnstile.pass(() => end.promise);
  const passing = ['crowd', 'crowd', 'crowd', 'one', 'crowd', 'other'].map((key, index) =>
    turnstile.pass(async () => void begun.push(`${key} ${index}`), { key }),
  );
  end.resolve();
  await Promise.all([first, ...passing]);
  expect(begun).toEqual(['crowd 0', 'one 3', 'other 5', 'crowd 1', 'crowd 2', 'crowd 4']);
  expect(turnstile.waiting).toBe(0);
});
