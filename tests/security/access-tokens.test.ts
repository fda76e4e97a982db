import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { openSigningKeys } from '../../src/authorization/keys/signing-keys.ts';
import { readAccessToken, signAccessToken } from '../../src/authorization/protocol/access-token.ts';
import { addSigningKey } from '../../src/authorization/store/signing-key-store.ts';
import { createSealer } from '../../src/kernel/crypto/sealer.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { asMachine, issuer, openTokenWorld, type TokenWorld } from '../support/open-token-world.ts';
import { startWorker } from '../support/start-worker.ts';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function forge(header: object, claims: object, signWith: (text: string) => Buffer): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${signWith(text).toString('base64url')}`;
}

/** A signature in the form of JSON Web Signatures. */
const signBy = (key: KeyObject, text: string) =>
  sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });

/** The server's own key, which no forger has: a token signed with it is refused for its header alone. */
async function stealKey(world: TokenWorld): Promise<KeyObject> {
  const masterKey = new Uint8Array(32).fill(1);
  const sealer = createSealer({ masterKey, purpose: 'signing-keys', random: systemRandom });
  const keys = await openSigningKeys({
    database: world.database,
    sealer,
    clock: createFakeClock(),
    random: systemRandom,
  });
  return keys.current().privateKey;
}

test('an access token says what RFC 9068 asks for, and names no person for a machine [R5, S11]', async () => {
  const world = await openTokenWorld({});
  const { access_token } = await world.actForItself();
  expect(decodeProtectedHeader(access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
  const claims = decodeJwt(access_token);
  expect(claims).toMatchObject({ iss: issuer, aud: issuer, sub: 'machine', client_id: 'machine' });
  expect(claims.exp! - claims.iat!).toBe(600);
  expect(typeof claims.jti).toBe('string');
  expect(claims.scope).toBe('swap.read subscriptions.read subscriptions.write');
  expect(claims).not.toHaveProperty('grant_id');
});

test('an access token ends with its lifetime [S1, S12]', async () => {
  const clock = createFakeClock();
  const world = await openTokenWorld({ clock, accessTokenLifetime: 60_000 });
  const { access_token, expires_in } = await world.actForItself();
  expect(expires_in).toBe(60);
  clock.advance(59_999);
  expect(await world.enter(access_token)).toBe(200);
  clock.advance(1);
  const headers = { authorization: `Bearer ${access_token}` };
  const { refusal } = await world.tokens.guard.check(new Request(`${issuer}/mcp`, { headers }));
  expect(refusal).toMatchObject({ status: 401, reason: 'expired' });
  expect(refusal?.challenges[0]).toContain('error="invalid_token"');
});

describe('a forged token is refused, even where its maker had the key [A10]', () => {
  const ours = { alg: 'ES256', typ: 'at+jwt' };
  const headers: [string, object][] = [
    ['of another type', { typ: 'JWT' }],
    ['that is an ID token', { typ: 'id+jwt' }],
    ['without a type', { typ: undefined }],
    ['whose key is at an address (jku)', { jku: 'https://evil.example/jwks' }],
    ['whose certificate is at an address (x5u)', { x5u: 'https://evil.example/x5u' }],
    ['with a key inside (jwk)', { jwk: { kty: 'OKP', crv: 'Ed25519', x: 'AA' } }],
    ['with extensions (crit)', { crit: ['exp'] }],
    ['of the algorithm none', { alg: 'none' }],
    ['of another algorithm', { alg: 'EdDSA' }],
    ['of another algorithm of its curve', { alg: 'ES384' }],
    ['whose kid walks paths', { kid: '../../../../dev/null' }],
    ['without a kid', { kid: undefined }],
  ];
  test.each(headers)('%s', async (_, change) => {
    const world = await openTokenWorld({});
    const { access_token } = await world.actForItself();
    const { kid } = decodeProtectedHeader(access_token);
    const key = await stealKey(world);
    const signed = (text: string) => signBy(key, text);
    const claims = decodeJwt(access_token);
    expect(await world.enter(forge({ ...ours, kid }, claims, signed))).toBe(200);
    const forged = forge({ ...ours, kid, ...change }, { ...claims, jti: 'forged' }, signed);
    expect(await world.enter(forged)).toBe(401);
  });
});

test('a token without a signature, or with that of another token, is refused [A10]', async () => {
  const world = await openTokenWorld({});
  const [one, other] = [await world.actForItself(), await world.actForItself()];
  const [header, payload, signature] = one.access_token.split('.');
  const foreign = other.access_token.split('.')[2];
  for (const token of [
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
    `${header}.${payload}.${foreign}`,
    `${header}.${payload}.${signature}.${signature}`,
    `${header}.${payload}.${signature}=`,
    'not-a-token',
    '..',
  ]) {
    expect(await world.enter(token)).toBe(401);
  }
});

test('HS256 over the public key is refused [A10]', async () => {
  const world = await openTokenWorld({});
  const { access_token } = await world.actForItself();
  const { kid } = decodeProtectedHeader(access_token);
  const { keys } = (await (await world.fetch(new Request(`${issuer}/jwks`))).json()) as {
    keys: [{ kty: string; crv: string; x: string }];
  };
  const [jwk] = keys;
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  for (const secret of [pem, jwk.x, Buffer.from(jwk.x, 'base64url')]) {
    const header = { alg: 'HS256', typ: 'at+jwt', kid };
    const token = forge(header, decodeJwt(access_token), (text) =>
      createHmac('sha256', secret).update(text).digest(),
    );
    expect(await world.enter(token)).toBe(401);
  }
});

test('a token by a key of its own maker is refused, under our kid too [A10]', async () => {
  const world = await openTokenWorld({});
  const { access_token } = await world.actForItself();
  const { kid } = decodeProtectedHeader(access_token);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const token = forge({ alg: 'ES256', typ: 'at+jwt', kid }, decodeJwt(access_token), (text) =>
    signBy(privateKey, text),
  );
  expect(await world.enter(token)).toBe(401);
});

describe('the audience of a token [L2, A4]', () => {
  test.each([
    [[], '/mcp', 200],
    [[], '/v1/subscriptions/s1', 200],
    [['http://localhost:8787'], '/mcp', 200],
    [['http://localhost:8787/mcp'], '/mcp', 200],
    [['http://localhost:8787/mcp'], '/mcp/', 200],
    [['http://localhost:8787/v1/subscriptions'], '/v1/subscriptions/s1', 200],
    [['http://localhost:8787/mcp'], '/v1/subscriptions/s1', 401],
    [['http://localhost:8787/mcp'], '/mcp-other', 401],
    [['http://localhost:8787/mcp'], '/', 401],
    [['https://context.example/mcp'], '/mcp', 401],
    [['https://context.example/mcp', 'http://localhost:8787/mcp'], '/mcp', 200],
  ])('%j at %s gives %i', async (resources, path, status) => {
    const world = await openTokenWorld({});
    const { access_token } = await world.signIn({ resources });
    expect(await world.enter(access_token, path)).toBe(status);
  });

  test('follows the resource of the request, whether it ends in a slash or not', async () => {
    const world = await openTokenWorld({});
    const { access_token } = await world.actForItself({ resource: 'http://localhost:8787/mcp/' });
    expect(decodeJwt(access_token).aud).toBe('http://localhost:8787/mcp');
    expect(await world.enter(access_token, '/mcp')).toBe(200);
    expect(await world.enter(access_token, '/v1/subscriptions')).toBe(401);
  });

  test('cannot be a server that the operator did not name', async () => {
    const world = await openTokenWorld({});
    const form = { grant_type: 'client_credentials', resource: 'https://elsewhere.example' };
    const basic = Buffer.from('machine:the-secret-of-a-confidential-client').toString('base64');
    expect(await world.post('/token', form, { authorization: `Basic ${basic}` })).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    });
  });

  test('cannot be missing, and must consist of strings', async () => {
    const world = await openTokenWorld({});
    const { access_token } = await world.actForItself();
    const { kid } = decodeProtectedHeader(access_token);
    const key = await stealKey(world);
    for (const aud of [undefined, null, [], 7, [issuer, 7], {}]) {
      const claims = { ...decodeJwt(access_token), aud };
      const header = { alg: 'ES256', typ: 'at+jwt', kid };
      const token = forge(header, claims, (text) => signBy(key, text));
      expect(await world.enter(token)).toBe(401);
    }
  });
});

test.each([
  ['more resources', Array.from({ length: 21 }, (_, n) => `http://localhost:8787/mcp/${n}`), 400],
  ['a longer resource', [`http://localhost:8787/${'m'.repeat(1_024)}`], 400],
  ['as many', Array.from({ length: 20 }, (_, n) => `http://localhost:8787/mcp/${n}`), 200],
])('a token for %s than it should carry is not made [N5]', async (_, resources, status) => {
  const world = await openTokenWorld({});
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  for (const resource of resources) form.append('resource', resource);
  const answer = await world.post('/token', form.toString(), asMachine);
  expect(answer.status).toBe(status);
  if (status === 400) expect(answer.body.error).toBe('invalid_target');
});

test('a token of another issuer is refused, though the same key signed it [A4]', async () => {
  const world = await openTokenWorld({});
  const { access_token } = await world.actForItself();
  const { kid } = decodeProtectedHeader(access_token);
  const key = await stealKey(world);
  const claims = { ...decodeJwt(access_token), iss: 'https://other.example' };
  const token = forge({ alg: 'ES256', typ: 'at+jwt', kid }, claims, (text) => signBy(key, text));
  expect(await world.enter(token)).toBe(401);
});

test('an older EdDSA key stays in use, and its tokens stay valid beside the next key [A10, T2]', async () => {
  const { database } = await openTokenWorld({});
  await database.run(sql`DELETE FROM signing_keys`);
  const sealer = createSealer({
    masterKey: new Uint8Array(32).fill(1),
    purpose: 'signing-keys',
    random: systemRandom,
  });
  const clock = createFakeClock();
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  await addSigningKey(database, {
    generation: 1,
    kid: 'old',
    publicKey: x,
    sealed: sealer.seal(d, 'old'),
    madeAt: 0,
    signsFrom: 0,
    signsUntil: clock.now() + 25 * 24 * 3_600_000,
  });
  const keys = await openSigningKeys({
    database,
    sealer,
    clock,
    random: systemRandom,
  });
  const claims = {
    iss: issuer,
    aud: issuer,
    sub: 'a',
    client_id: 'a',
    iat: 1,
    exp: 2,
    jti: '1',
    scope: '',
  };
  const old = signAccessToken(claims, keys.current());
  expect(decodeProtectedHeader(old)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: 'old' });
  expect(keys.published()).toEqual([
    { kty: 'OKP', crv: 'Ed25519', x, kid: 'old', alg: 'EdDSA', use: 'sig' },
  ]);
  await keys.rotateNow();
  expect(decodeProtectedHeader(signAccessToken(claims, keys.current())).alg).toBe('ES256');
  expect(readAccessToken(old, keys.find)).toEqual(claims);
  const [, payload, signature] = old.split('.');
  const claimed = `${encode({ alg: 'ES256', typ: 'at+jwt', kid: 'old' })}.${payload}.${signature}`;
  expect(() => readAccessToken(claimed, keys.find)).toThrow(/not one that this/);
});

test('a token that was seen is refused within 5 s of the withdrawal of its key, even if the notice was lost [F28, N21]', async () => {
  const clock = createFakeClock();
  const world = await openTokenWorld({ clock });
  const { access_token: token } = await world.actForItself();
  expect(await world.enter(token)).toBe(200);
  const worker = world.tokens.workers.find(({ name }) => name === 'signing-keys');
  if (worker === undefined) throw new Error('no worker keeps the signing keys');
  startWorker(worker);
  await clock.whenAsleep();
  await world.database.run(sql`DELETE FROM signing_keys`);
  expect(await world.enter(token)).toBe(200);
  clock.advance(5_000);
  await clock.whenAsleep();
  expect(await world.enter(token)).toBe(401);
});
