import { expect, test } from 'vitest';
import { createNatsKind, isAllowedSubject } from './nats-endpoint.ts';

test('allows what the operator named and what lies below it [F10]', () => {
  const prefixes = ['orders', 'alerts.prices.', 'logs.>'];
  for (const subject of [
    'orders',
    'orders.new',
    'alerts.prices',
    'alerts.prices.eth',
    'logs.a.b',
  ]) {
    expect([subject, isAllowedSubject(subject, prefixes)]).toEqual([subject, true]);
  }
  for (const subject of ['orders2', 'alerts', 'alerts.pricesx', 'other', 'xorders.new']) {
    expect([subject, isAllowedSubject(subject, prefixes)]).toEqual([subject, false]);
  }
});

test('allows nothing where the operator named nothing [F10]', () => {
  expect(isAllowedSubject('orders', [])).toBe(false);
});

test("never allows the server's own bus or the inner subjects of NATS [F10]", () => {
  const prefixes = ['tradewind', 'tradewind-4f1c', '_INBOX', '$JS', 'Tradewind-4f1c'];
  for (const subject of ['tradewind', 'tradewind-4f1c.events', 'Tradewind-4f1c.x', '_INBOX.a']) {
    expect([subject, isAllowedSubject(subject, prefixes)]).toEqual([subject, false]);
  }
});

test('refuses a subject that is not allowed, and delivers nothing to it, without connecting [F10]', async () => {
  const kind = createNatsKind({ url: 'nats://127.0.0.1:9', prefixes: ['orders'] });
  const endpoint = { kind: 'natsSubject', subject: 'tradewind-4f1c.events' } as const;
  expect(await kind.check(endpoint)).toMatchObject({
    status: 'PERMISSION_DENIED',
    reason: 'NATS_SUBJECT_REFUSED',
  });
  const { signal } = new AbortController();
  const outcome = await kind
    .open(endpoint, { secrets: [] })
    .send({ id: 'e1', events: [], at: 0, isRetry: false }, signal);
  expect(outcome).toMatchObject({ isAccepted: false, reason: 'ENDPOINT_PERMISSION_DENIED' });
});
