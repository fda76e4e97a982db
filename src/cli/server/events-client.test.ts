import { expect, test } from 'vitest';
import { readServerSentEvents } from './events-client.ts';

async function read(...parts: string[]) {
  const events = [];
  const body = ReadableStream.from(parts.map((part) => new TextEncoder().encode(part)));
  for await (const event of readServerSentEvents(body)) events.push(event);
  return events;
}

const two = [
  { id: '1', data: 'a\nb' },
  { id: '2', data: 'c' },
];

test.each(['\n', '\r\n', '\r'])(
  'reads events whose lines end with %j, in chunks of any size',
  async (end) => {
    const text = [
      'id: 1',
      'data: a',
      'data:b',
      '',
      ': ping',
      '',
      'id:2',
      'identity: 3',
      'data: c',
      '',
      '',
    ].join(end);
    expect(await read(text)).toEqual(two);
    expect(await read(...text)).toEqual(two);
  },
);

test('ignores an unfinished event, and ids that no header can hold', async () => {
  expect(await read('id: 1\ndata: a\n\nid: \u0001\ndata: b\n\ndata: c\n')).toEqual([
    { id: '1', data: 'a' },
    { id: '1', data: 'b' },
  ]);
});
