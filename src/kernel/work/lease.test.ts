import { expect, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { withLease } from './lease.ts';

test('renews the lease while the work lasts, and no longer', async () => {
  const clock = createFakeClock();
  const work = Promise.withResolvers<string>();
  let renewals = 0;
  const renew = async () => {
    renewals += 1;
    return true;
  };
  const done = withLease({ ...leaseOn(clock), renew }, () => work.promise);
  for (let round = 0; round < 3; round++) {
    await clock.whenAsleep();
    clock.advance(100);
  }
  await clock.whenAsleep();
  expect(renewals).toBe(3);
  work.resolve('done');
  expect(await done).toBe('done');
  clock.advance(1_000);
  expect(renewals).toBe(3);
});

test('notifies the work that the lease is lost', async () => {
  const clock = createFakeClock();
  const done = withLease({ ...leaseOn(clock), renew: async () => false }, untilAborted);
  clock.advance(100);
  expect(await done).toBe('aborted');
});

test('an error while renewing is no loss', async () => {
  const clock = createFakeClock();
  const answers = [Promise.reject(new Error('away')), Promise.resolve(false)];
  const renew = () => answers.shift() ?? Promise.resolve(true);
  const done = withLease({ ...leaseOn(clock), renew }, untilAborted);
  clock.advance(100);
  await clock.whenAsleep();
  clock.advance(100);
  expect(await done).toBe('aborted');
});

test('passes the outer signal on, and the error of the work', async () => {
  const stop = new AbortController();
  const lease = { ...leaseOn(createFakeClock()), signal: stop.signal };
  const done = withLease(lease, untilAborted);
  stop.abort();
  expect(await done).toBe('aborted');
  await expect(
    withLease(lease, async () => {
      throw new Error('broken');
    }),
  ).rejects.toThrow('broken');
});

function leaseOn(clock: ReturnType<typeof createFakeClock>) {
  return {
    clock,
    renewEvery: 100,
    renew: async () => true,
    signal: new AbortController().signal,
  };
}

function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve('aborted');
    signal.addEventListener('abort', () => resolve('aborted'));
  });
}
