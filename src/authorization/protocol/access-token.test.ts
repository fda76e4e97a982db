import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import {
  fromDer,
  rememberVerified,
  signAccessToken,
  toDer,
  writeTokenHeader,
} from './access-token.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

test('a signature survives the conversion from DER to raw and back, and Node.js verifies it', () => {
  // Of so many signatures some have numbers with leading zeros, and most have a zero byte that keeps a number positive.
  for (let count = 0; count < 600; count++) {
    const text = Buffer.from(`signed ${count}`);
    const der = sign('sha256', text, privateKey);
    const raw = fromDer(der);
    expect(raw).toHaveLength(64);
    expect(toDer(raw)).toEqual(der);
    if (count % 20 > 0) continue;
    expect(verify('sha256', text, { key: publicKey, dsaEncoding: 'ieee-p1363' }, raw)).toBe(true);
  }
});

test.each([
  ['short numbers', '01', '02', '3006020101020102'],
  ['a number of nothing', '00', '80', '300702010002020080'],
])('%s are written as short as can be', (_, r, s, der) => {
  const raw = Buffer.from(r.padStart(64, '0') + s.padStart(64, '0'), 'hex');
  expect(toDer(raw)?.toString('hex')).toBe(der);
  expect(fromDer(Buffer.from(der, 'hex'))).toEqual(raw);
});

test('a raw signature of another length is refused', () => {
  for (const length of [0, 63, 65]) expect(toDer(Buffer.alloc(length))).toBeUndefined();
});

const claims = { iss: 'i', aud: 'a', sub: 's', client_id: 'c', iat: 1, exp: 2, jti: 'j' };

/** A signer and what is published of it, with how often a key was asked for a new verification. */
function setUp() {
  const keys = new Map<string, KeyObject>();
  const publish = (kid: string) => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    keys.set(kid, publicKey);
    return (scope: string) =>
      signAccessToken(
        { ...claims, scope },
        { privateKey, tokenHeader: writeTokenHeader(kid, 'ES256') },
      );
  };
  let asked = 0;
  const read = rememberVerified((kid) => {
    asked += 1;
    return keys.get(kid);
  });
  return { keys, publish, read, asked: () => asked };
}

describe('tokens that were verified', () => {
  it('are cached up to 4,096 characters, and no longer ones, which could fill the memory [N5]', () => {
    const { publish, read, keys } = setUp();
    const sign = publish('1');
    const [short, long] = [sign('s'), sign('s'.repeat(4_096))];
    expect([read(short), read(long)]).toEqual([read(short), read(long)]);
    expect(read(short)).toBe(read(short));
    expect(read(long)).not.toBe(read(long));
    expect(keys.size).toBe(1);
  });

  it('are forgotten with their key, withdrawn or replaced, and not when it is read again [F28, N21]', () => {
    const { publish, read, keys } = setUp();
    const token = publish('1')('s');
    const first = read(token);
    const key = keys.get('1');
    keys.delete('1');
    expect(() => read(token)).toThrow(
      'signed by a key that the authorization server does not publish',
    );
    publish('1');
    expect(() => read(token)).toThrow('not one that this authorization server issued');
    if (key !== undefined) keys.set('1', key);
    expect(read(token)).toEqual(first);
  });
});
