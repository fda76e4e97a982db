import { expect, it } from 'vitest';
import { admitReaders } from './admit-readers.ts';
import { serveEvents } from './serve-events.ts';

function open({ mostOfAll = 4, most = 4 } = {}) {
  const readers = admitReaders({ name: 'event streams', reason: 'TOO_MANY_STREAMS', mostOfAll });
  /** A stream that sends nothing, as most do most of the time. */
  return (account: string, client = `${account}'s client`) => {
    const over = new AbortController();
    const bounds = [
      { key: client, most: 3, whose: 'of yours' },
      { key: account, most, whose: 'of your account' },
    ];
    const onEnd = readers.enter({ account, bounds, end: () => over.abort() });
    const silence = async function* (signal: AbortSignal) {
      yield [{ id: '1', data: '{}' }];
      if (!signal.aborted) await new Promise((end) => signal.addEventListener('abort', end));
    };
    const response = serveEvents(silence, { onEnd, over });
    return { response, isOver: () => over.signal.aborted };
  };
}

it('ends the oldest stream of the account with the most for one that has none [F43]', async () => {
  const enter = open();
  const [oldest, ...others] = ['a', 'a', 'b', 'a'].map((account) => enter(account));
  const reader = oldest!.response.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('retry: 1000\n\n');
  expect((await reader.read()).value).toBe('id: 1\ndata: {}\n\n');
  const end = reader.read();
  enter('c');
  expect(await end).toEqual({ done: true, value: undefined });
  expect(others.map((one) => one.isOver())).toEqual([false, false, false]);
});

it('ends a stream that nobody reads, and counts its place once [F43]', async () => {
  const enter = open();
  const [oldest] = ['a', 'a', 'a', 'b'].map((account) => enter(account));
  enter('c');
  expect(oldest!.isOver()).toBe(true);
  expect(await oldest!.response.text()).toBe('retry: 1000\n\n');
  await oldest!.response.body?.cancel().catch(() => {});
  enter('d');
  expect(() => enter('e')).toThrow(/4 event streams in all are open/);
});

it('bounds the streams of all clients of an account together [F43]', () => {
  const enter = open({ mostOfAll: 100 });
  for (let client = 0; client < 4; client++) enter('a', `client ${client}`);
  expect(() => enter('a', 'client 5')).toThrow(/4 event streams of your account are open/);
  enter('b');
});
