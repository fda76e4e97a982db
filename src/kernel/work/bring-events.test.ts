import { expect, test } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { systemRandom } from '../model/random.ts';
import { bringEvents } from './bring-events.ts';
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
