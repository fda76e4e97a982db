import { generateKeyPairSync, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { systemRandom } from '../../../../kernel/random/random.ts';
import { makeSigningSecret, parseSigningSecrets } from '../../../model/signing-secret.ts';
import { signWebhook } from './sign-webhook.ts';

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
