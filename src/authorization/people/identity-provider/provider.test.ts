import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../kernel/wait/clock.ts';
import { createProvider, toPerson } from './provider.ts';

describe('a person of an identity provider', () => {
  test.each([
    ['Ada\u0000 L', 'Ada L'],
    ['\u202eowner \u0007', 'owner'],
    ['\u200b', 'user-1'],
    [42, 'user-1'],
  ])('is called %j without characters that nobody sees [F55, N6]', (name, expected) => {
    expect(toPerson({ sub: 'user-1', name })).toEqual({ subject: 'user-1', name: expected });
  });

  test.each(['user-1\u0000', 'user\n1', '\u009fuser', ' user-1', 'user-1 ', 'user-1\u00a0', ' '])(
    'has no control characters in the subject %j, and no space around it [F55]',
    (sub) => {
      expect(() => toPerson({ sub })).toThrow(/control characters, or begins or ends with a space/);
    },
  );
});

const handshake = { state: 'state', nonce: 'nonce', codeVerifier: 'v'.repeat(43) };
const answer = new URLSearchParams({ state: 'state', code: 'code' });

/** Completes a sign-in at a provider that answers with an ID token of these claims; `null` for none. */
async function complete(
  scheme: 'http' | 'https',
  claims: Record<string, unknown> | null,
  options: { isForged?: boolean } = {},
) {
  const issuer = `${scheme}://login.example`;
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const { privateKey: forged } = await generateKeyPair('ES256');
  const now = Math.floor(Date.now() / 1_000);
  const all = {
    iss: issuer,
    aud: 'tradewind',
    sub: 'ada',
    nonce: 'nonce',
    iat: now,
    exp: now + 60,
  };
  const idToken = await new SignJWT({ ...all, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'key' })
    .sign(options.isForged ? forged : privateKey);
  const answers: Record<string, object> = {
    '/.well-known/openid-configuration': {
      issuer,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ['ES256'],
    },
    '/keys': { keys: [{ ...(await exportJWK(publicKey)), kid: 'key', alg: 'ES256', use: 'sig' }] },
    '/token': {
      access_token: 'token',
      token_type: 'Bearer',
      ...(claims === null ? {} : { id_token: idToken }),
    },
  };
  const provider = createProvider({
    issuer: new URL(issuer),
    clientId: 'tradewind',
    clientSecret: 'secret',
    scopes: 'openid',
    redirectUri: 'http://localhost:8787/authorize/callback',
    fetch: async (url) => Response.json(answers[new URL(url).pathname]),
    clock: systemClock,
  });
  return (await provider.complete(answer, handshake)).person.subject;
}

describe('an ID token', () => {
  test.each(['http', 'https'] as const)('signs a person in over %s [S14, F93]', async (scheme) => {
    expect(await complete(scheme, {})).toBe('ada');
    expect(await complete(scheme, { azp: 'tradewind' })).toBe('ada');
  });

  test.each([
    ['that was given to another client', { azp: 'other' }],
    ['that is not there though it was asked for', null],
  ])('%s is refused [F93]', async (_, claims) => {
    await expect(complete('https', claims)).rejects.toThrow();
  });

  test('that another key signed is refused where no TLS vouches for it [F93]', async () => {
    expect(await complete('https', {}, { isForged: true })).toBe('ada');
    await expect(complete('http', {}, { isForged: true })).rejects.toThrow();
  });
});
