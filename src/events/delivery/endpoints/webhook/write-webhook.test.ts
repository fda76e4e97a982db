import { HTTP } from 'cloudevents';
import { expect, test } from 'vitest';
import { contentModes } from '../../../model/subscription.ts';
import { toWebhookId, writeWebhook } from './write-webhook.ts';

const attributes = {
  id: 'e 1 "ü%"',
  source: '//events.test/subscriptions/s1',
  type: 'shop.order.v1.created',
  subject: '//shop/orders/ä 1',
  time: '2026-01-01T00:00:00.000Z',
};
const event = { ...attributes, number: 1, data: '{"order":{"name":"orders/1"}}' };
const expected = {
  ...attributes,
  specversion: '1.0',
  data: { order: { name: 'orders/1' } },
};

test.each(contentModes)('cloudevents reads an event in %s mode [E10.1, E10.19, E11.7]', (mode) => {
  const { headers, body } = writeWebhook({ events: [event] }, mode);
  const read = [HTTP.toEvent({ headers: { ...headers }, body })].flat();
  // Attributes in headers are percent-encoded, and the library leaves the decoding to its user.
  const decoded = read.map((one) => ({
    ...one,
    id: mode === 'BINARY' ? decodeURIComponent(one.id) : one.id,
    subject: mode === 'BINARY' ? decodeURIComponent(one.subject ?? '') : one.subject,
    time: new Date(one.time ?? '').toISOString(),
  }));
  expect(decoded).toMatchObject([expected]);
  expect(read[0]?.datacontenttype).toMatch('application/json');
});

test('cloudevents reads each event of a batch [E10.19, E11.7]', () => {
  const second = { ...event, id: 'e2' };
  const { headers, body } = writeWebhook({ events: [event, second] }, 'BATCH');
  expect(headers['content-type']).toMatch('application/cloudevents-batch+json');
  const read = [HTTP.toEvent({ headers: { ...headers }, body })].flat();
  expect(read.map(({ id }) => id)).toEqual([event.id, 'e2']);
});

test('headers hold nothing but printable ASCII [E10.19]', () => {
  const { headers } = writeWebhook({ events: [event] }, 'BINARY');
  expect(headers['ce-id']).toBe('e%201%20%22%C3%BC%25%22');
  for (const value of Object.values(headers)) expect(value).toMatch(/^[\x21-\x7e]+$/);
});

test('an id that no header can carry is written in percent encoding [E10.20]', () => {
  for (const id of ['e1', 'a b%"c', 'batch-1.1-5']) expect(toWebhookId(id)).toBe(id);
  for (const id of ['事件', 'ü', ' e1', 'e1 ', '\u{1f600}']) {
    expect(toWebhookId(id)).toMatch(/^[!-~]+$/);
    expect(decodeURIComponent(toWebhookId(id))).toBe(id);
  }
});
