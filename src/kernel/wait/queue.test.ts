import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createKeyedQueue, createQueue } from './queue.ts';

test('admits as many as it has places and the others in order, even after failures', async () => {
  const queue = createQueue(2);
  const begun: number[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const passing = [0, 1, 2, 3].map((n) => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return queue.pass(() => {
      begun.push(n);
      return end.promise;
    });
  });
  expect(begun).toEqual([0, 1]);
  expect(queue.waiting).toBe(2);
  ends[1]!.reject(new Error('broken'));
  await expect(passing[1]).rejects.toThrow('broken');
  expect(begun).toEqual([0, 1, 2]);
  ends[0]!.resolve();
  await passing[0];
  expect(begun).toEqual([0, 1, 2, 3]);
});

test('releases callers who give up while they wait, without starting their work', async () => {
  const queue = createQueue(1);
  const end = Promise.withResolvers<void>();
  const first = queue.pass(() => end.promise);
  const waiting = new AbortController();
  const begun: string[] = [];
  const second = queue.pass(async () => void begun.push('second'), waiting);
  const third = queue.pass(async () => void begun.push('third'), waiting);
  const other = new AbortController();
  const gone = queue.pass(async () => void begun.push('gone'), other);
  other.abort(new Error('gave up'));
  await expect(gone).rejects.toThrow('gave up');
  expect(queue.waiting).toBe(2);
  end.resolve();
  await Promise.all([first, second, third]);
  expect(begun).toEqual(['second', 'third']);
  expect(getEventListeners(waiting.signal, 'abort')).toHaveLength(0);
});

test('lets those who wait for different keys take turns', async () => {
  const queue = createQueue(1);
  const end = Promise.withResolvers<void>();
  const begun: string[] = [];
  const first = queue.pass(() => end.promise);
  const passing = ['crowd', 'crowd', 'crowd', 'one', 'crowd', 'other'].map((key, index) =>
    queue.pass(async () => void begun.push(`${key} ${index}`), { key }),
  );
  end.resolve();
  await Promise.all([first, ...passing]);
  expect(begun).toEqual(['crowd 0', 'one 3', 'other 5', 'crowd 1', 'crowd 2', 'crowd 4']);
  expect(queue.waiting).toBe(0);
});

test('lets in those who came last of all only when nobody else waits, each line in its order [F9]', async () => {
  const queue = createQueue(1);
  const begun: string[] = [];
  const come = (name: string, isLast: boolean) =>
    queue.pass(async () => void begun.push(name), { key: isLast ? 'failed' : 'ordinary', isLast });
  const end = Promise.withResolvers<void>();
  const first = queue.pass(() => end.promise);
  const passing = ['a', 'b', 'c'].map((name) => come(name, true));
  passing.push(...['x', 'y'].map((name) => come(name, false)));
  expect([queue.waitingOf('failed'), queue.waitingOf('ordinary')]).toEqual([3, 2]);
  end.resolve();
  await Promise.all([first, ...passing]);
  expect(begun).toEqual(['x', 'y', 'a', 'b', 'c']);
});

test('lets those who wait in when it gets more places', async () => {
  const queue = createQueue(1);
  const leave = await queue.enter();
  const others = [queue.enter(), queue.enter(), queue.enter()];
  queue.places = 3;
  expect([queue.inside, queue.waiting]).toEqual([3, 1]);
  queue.places = 1;
  leave();
  expect([queue.inside, queue.waiting]).toEqual([2, 1]);
  for (const left of [await others[0]!, await others[1]!]) left();
  (await others[2]!)();
  expect([queue.inside, queue.waiting]).toEqual([0, 0]);
});

/** Work that ends when the test says so. */
function createWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  return { begun, start, end: (name: string) => ends.get(name)!() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('does the work of one key in order and that of others meanwhile', async () => {
  const queue = createKeyedQueue();
  const { begun, start, end } = createWork();
  for (const name of ['a1', 'a2', 'b1']) void queue.pass(name.charAt(0), start(name));
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
  end('a1');
  await settled();
  expect(begun).toEqual(['a1', 'b1', 'a2']);
});

test('goes on with a key whose work failed', async () => {
  const queue = createKeyedQueue();
  const failing = queue.pass('a', () => Promise.reject(new Error('failed')));
  const next = queue.pass('a', async () => 'done');
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('done');
});

test('tells when few enough are left, whichever ended', async () => {
  const queue = createKeyedQueue();
  const { start, end } = createWork();
  for (const name of ['a', 'b', 'c']) void queue.pass(name, start(name));
  let isThere = false;
  const there = queue.whenFewerThan(2).then(() => {
    isThere = true;
  });
  await settled();
  end('c');
  await settled();
  expect(isThere).toBe(false);
  end('a');
  await there;
  end('b');
  await queue.whenFewerThan(1);
});
