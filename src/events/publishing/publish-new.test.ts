import { expect, test } from 'vitest';
import type { NewEvent } from '../model/event.ts';
import { gatherBatches } from './publish-new.ts';

const message = (n: number, text = ''): NewEvent => ({
  id: `e${n}`,
  source: '//chat',
  type: 'google.workspace.chat.message.v1.created',
  subject: `//chat.googleapis.com/spaces/A/messages/${n}`,
  occurredAt: n,
  data: { message: { name: `spaces/A/messages/${n}`, text } },
});
const request = {
  batchType: 'google.workspace.chat.message.v1.batchCreated',
  target: '//chat.googleapis.com/spaces/A',
};

test('many events become one event whose data lists the data of each [E10.7]', () => {
  const events = [message(1), message(2)];
  expect(gatherBatches({ ...request, events })).toEqual([
    {
      id: expect.stringMatching(/^batch-/),
      source: '//chat',
      type: request.batchType,
      subject: request.target,
      occurredAt: 2,
      data: { messages: events.map(({ data }) => data) },
    },
  ]);
});

test('the same events give the same batch id, and other events another [E10.14]', () => {
  const idOf = (...events: NewEvent[]) => gatherBatches({ ...request, events })[0]?.id;
  expect(idOf(message(1), message(2))).toBe(idOf(message(1), message(2)));
  expect(idOf(message(1), message(2))).not.toBe(idOf(message(1), message(3)));
});

test.each(['x', 'ж', '漢'])(
  'no batch of texts like %s is larger than an event may be [E6.16]',
  (letter) => {
    const events = Array.from({ length: 20 }, (_, n) => message(n, letter.repeat(30_000)));
    const batches = gatherBatches({ ...request, events });
    expect(batches.length).toBeGreaterThan(1);
    for (const batch of batches) {
      expect(Buffer.byteLength(JSON.stringify(batch))).toBeLessThan(256 * 1024);
    }
    expect(batches.flatMap(({ data }) => data.messages)).toHaveLength(20);
  },
);
