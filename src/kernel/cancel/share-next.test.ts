import { expect, it } from 'vitest';
import { shareNext } from './share-next.ts';

/** Readings that end when they are told to, numbered by when they began. */
function createReadings() {
  const begun: PromiseWithResolvers<number>[] = [];
  const read = shareNext(() => {
    const reading = Promise.withResolvers<number>();
    begun.push(reading);
    return reading.promise;
  });
  return { begun, read, end: (index: number) => begun[index]?.resolve(index) };
}

it('lets all who come meanwhile share the next reading, which begins after they asked', async () => {
  const { begun, read, end } = createReadings();
  const first = read();
  const others = [read(), read(), read()];
  expect(begun).toHaveLength(1);
  end(0);
  expect(await first).toBe(0);
  const late = read();
  end(1);
  expect(await Promise.all(others)).toEqual([1, 1, 1]);
  end(2);
  expect(await late).toBeGreaterThan(0);
  expect(begun.length).toBeLessThanOrEqual(3);
});

it('reads again after a failure, which only those who shared it notice', async () => {
  const { begun, read, end } = createReadings();
  const [first, second] = [read(), read()];
  begun[0]?.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  end(1);
  expect(await second).toBe(1);
  const third = read();
  end(2);
  expect(await third).toBe(2);
});
