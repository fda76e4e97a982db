import { expect, it } from 'vitest';
import { shareNext } from './shared-work.ts';

/** Readings that end when the test says so, numbered in the order in which they began. */
function createReadings() {
  const begun: PromiseWithResolvers<number>[] = [];
  const read = shareNext(() => {
    const reading = Promise.withResolvers<number>();
    begun.push(reading);
    return reading.promise;
  });
  /** Waits a turn: the next reading begins in the turn in which the one before ends. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const end = async (index: number) => {
    begun[index]?.resolve(index);
    await settle();
  };
  const fail = async (index: number) => {
    begun[index]?.reject(new Error('away'));
    await settle();
  };
  return { begun, read, end, fail };
}

it('lets all callers who arrive during a read share the next one', async () => {
  const { begun, read, end } = createReadings();
  const first = read();
  const others = [read(), read(), read()];
  expect(begun).toHaveLength(1);
  await end(0);
  expect(await first).toBe(0);
  expect(begun).toHaveLength(2);
  const late = read();
  await end(1);
  expect(await Promise.all(others)).toEqual([1, 1, 1]);
  await end(2);
  expect(await late).toBe(2);
});

it('reads again after a failure, which rejects only the callers that shared it', async () => {
  const { read, end, fail } = createReadings();
  const first = expect(read()).rejects.toThrow('away');
  const second = read();
  await fail(0);
  await first;
  await end(1);
  expect(await second).toBe(1);
  const third = read();
  await end(2);
  expect(await third).toBe(2);
});
