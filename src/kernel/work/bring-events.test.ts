import { expect, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { systemRandom } from '../model/random.ts';
import { bringEvents, createKeyLanes } from './bring-events.ts';
import type { EventStream } from './jetstream.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('takes no more than 5,000 events into memory, and the next for each that is handled [H25, H57]', async () => {
  const stop = new AbortController();
  const removed: number[] = [];
  const handling: (() => void)[] = [];
  let taken = 0;
  const stream: EventStream = {
    publish: async () => {},
    async *read() {
      while (taken < 6_000) {
        taken += 1;
        const event = {
          id: String(taken),
          topic: 'count',
          key: 'slow',
          payload: null,
          occurredAt: 0,
        };
        yield { sequence: taken, event };
      }
    },
    remove: async ({ sequence }) => void removed.push(sequence),
  };
  const bringing = bringEvents(
    {
      stream,
      consumer: { name: 'slow', handle: () => new Promise((resolve) => handling.push(resolve)) },
      clock: createFakeClock(),
      random: systemRandom,
      onFailure: () => {},
    },
    stop.signal,
  );
  await turn();
  expect(taken).toBe(5_000);
  handling.shift()?.();
  await turn();
  expect(taken).toBe(5_001);
  expect(removed).toEqual([1]);
  stop.abort();
  handling.shift()?.();
  await bringing;
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
  const lanes = createKeyLanes();
  const { begun, start, end } = createWork();
  lanes.add('a', start('a1'));
  lanes.add('a', start('a2'));
  lanes.add('b', start('b1'));
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
  end('a1');
  await settled();
  expect(begun).toEqual(['a1', 'b1', 'a2']);
});

test('tells when few enough are left, whichever ended', async () => {
  const lanes = createKeyLanes();
  const { start, end } = createWork();
  for (const name of ['a', 'b', 'c']) lanes.add(name, start(name));
  let isThere = false;
  const there = lanes.fewerThan(2).then(() => {
    isThere = true;
  });
  await settled();
  end('c');
  await settled();
  expect(isThere).toBe(false);
  end('a');
  await there;
  end('b');
  await lanes.fewerThan(1);
});
