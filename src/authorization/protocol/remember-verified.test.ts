import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signAccessToken, writeTokenHeader } from './access-token.ts';
import { rememberVerified } from './remember-verified.ts';

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
