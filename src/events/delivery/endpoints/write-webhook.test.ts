import { generateKeyPairSync, verify } from 'node:crypto';
import { HTTP } from 'cloudevents';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { systemRandom } from '../../../kernel/model/random.ts';
import { makeSigningSecret, parseSigningSecrets } from '../../model/signing-secret.ts';
import { contentModes } from '../../model/subscription.ts';
import { signWebhook, toWebhookId, writeWebhook } from './write-webhook.ts';

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

const timestamp = Math.floor(Date.now() / 1_000);
const content = { id: 'e1', timestamp, body: '{"order":{}}' };
const headersOf = (signature: string) => ({
  'webhook-id': content.id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
});
const sign = (secrets: string) => signWebhook(content, parseSigningSecrets(secrets) ?? []);

test('a made secret is whsec_ and base64, and standardwebhooks verifies with it [E10.22, E10.24, E11.6]', () => {
  const secret = makeSigningSecret(systemRandom);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
  const signature = sign(secret);
  expect(signature).toMatch(/^v1,/);
  expect(new Webhook(secret).verify(content.body, headersOf(signature))).toEqual({ order: {} });
});

test('a changed body or another secret does not verify [E11.6]', () => {
  const signature = sign(makeSigningSecret(systemRandom));
  const other = new Webhook(makeSigningSecret(systemRandom));
  expect(() => other.verify(content.body, headersOf(signature))).toThrow();
});

test('while a secret is rotated both sign, and either verifies [E10.23]', () => {
  const [old, fresh] = [makeSigningSecret(systemRandom), makeSigningSecret(systemRandom)];
  const signature = sign(`${fresh} ${old}`);
  expect(signature.split(' ')).toHaveLength(2);
  for (const secret of [old, fresh]) {
    expect(new Webhook(secret).verify(content.body, headersOf(signature))).toBeDefined();
  }
});

test('an Ed25519 key adds a v1a signature [E10.22]', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const signature = sign(`${makeSigningSecret(systemRandom)} whsk_${seed.toString('base64')}`);
  const [, asymmetric = ''] = signature.split(' ');
  expect(asymmetric).toMatch(/^v1a,/);
  const signed = Buffer.from(`${content.id}.${timestamp}.${content.body}`);
  const bytes = Buffer.from(asymmetric.slice(4), 'base64');
  expect(verify(null, signed, publicKey, bytes)).toBe(true);
});

test.each(['', 'secret', 'whsec_', 'whsec_!!', 'whsec_c2hvcnQ=', 'whsk_c2hvcnQ=', 'whsec_ whsec_'])(
  'refuses %j as a secret [E10.24]',
  (secret) => {
    expect(parseSigningSecrets(secret)).toBeUndefined();
  },
);
