import { createHash, randomUUID } from 'node:crypto';
import {
  calculateJwkThumbprint,
  decodeJwt,
  exportJWK,
  type GenerateKeyPairResult,
  generateKeyPair,
  SignJWT,
} from 'jose';
import { describe, expect, test } from 'vitest';
import { readDpopProof } from '../../src/authorization/protocol/dpop-proof.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import {
  answered,
  issuer,
  openTokenWorld,
  type TokenWorld,
  testClient,
} from '../support/open-token-world.ts';

const clock = createFakeClock();
const holder = await generateKeyPair('ES256', { extractable: true });
const thief = await generateKeyPair('ES256', { extractable: true });
const token = `${issuer}/token`;
const mcp = `${issuer}/mcp`;
const invalidProof = { status: 400, body: { error: 'invalid_dpop_proof' } };

async function prove(
  claims: Record<string, unknown>,
  { pair = holder, header = {} }: { pair?: GenerateKeyPairResult; header?: object } = {},
): Promise<string> {
  const jwk = await exportJWK(pair.publicKey);
  return new SignJWT({ jti: randomUUID(), iat: Math.floor(clock.now() / 1_000), ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
    .sign(pair.privateKey);
}

const atToken = (pair = holder) => prove({ htm: 'POST', htu: token }, { pair });
const athOf = (accessToken: string) => createHash('sha256').update(accessToken).digest('base64url');

function use(world: TokenWorld, accessToken: string, proof?: string, scheme = 'DPoP') {
  const headers = new Headers({ authorization: `${scheme} ${accessToken}` });
  if (proof !== undefined) headers.set('dpop', proof);
  return world.tokens.guard.check(new Request(`${mcp}?x=1`, { headers }));
}

describe('at the token endpoint [R5]', () => {
  test('a proof binds the access token to its key', async () => {
    const world = await openTokenWorld({ clock });
    const tokens = await world.signIn({}, { dpop: await atToken() });
    expect(tokens.token_type).toBe('DPoP');
    const jkt = await calculateJwkThumbprint(await exportJWK(holder.publicKey));
    expect(decodeJwt(tokens.access_token).cnf).toEqual({ jkt });
  });

  test('a proof works once [A12]', async () => {
    const world = await openTokenWorld({ clock });
    const dpop = await atToken();
    await world.signIn({}, { dpop });
    expect(await world.post('/token', await world.allow(), { dpop })).toMatchObject(invalidProof);
  });

  test.each([
    ['for another method', { htm: 'GET' }, {}],
    ['for another address', { htu: mcp }, {}],
    ['made long ago', { iat: Math.floor(clock.now() / 1_000) - 61 }, {}],
    ['made in the future', { iat: Math.floor(clock.now() / 1_000) + 61 }, {}],
    ['without an id', { jti: undefined }, {}],
    ['of another type', {}, { typ: 'JWT' }],
  ])('refuses a proof %s', async (_, claims, header) => {
    const world = await openTokenWorld({ clock });
    const dpop = await prove({ htm: 'POST', htu: token, ...claims }, { header });
    expect(await world.post('/token', await world.allow(), { dpop })).toMatchObject(invalidProof);
  });

  test('the expiry of a proof with a fractional iat is rounded up to a whole millisecond [N7]', async () => {
    const text = await prove({ htm: 'POST', htu: token, iat: clock.now() / 1_000 + 0.000_123_4 });
    const now = clock.now();
    const { expiresAt } = await readDpopProof(text, { method: 'POST', url: token, now });
    expect(expiresAt).toBe(now + 120_001);
  });

  test('a proof matches its address however long that is, and an invalid address is refused [A12]', async () => {
    const url = `${issuer}/${'x'.repeat(2_100)}`;
    const read = async (htu: string) =>
      readDpopProof(await prove({ htm: 'GET', htu }), { method: 'GET', url, now: clock.now() });
    await expect(read(url)).resolves.toBeTruthy();
    for (const htu of ['nonsense', `${url}y`, `https://${'一'.repeat(300)}.example/`]) {
      await expect(read(htu)).rejects.toMatchObject({ code: 'invalid_dpop_proof' });
    }
  });

  test('refuses a proof that was signed by another key than it holds', async () => {
    const world = await openTokenWorld({ clock });
    const jwk = await exportJWK(thief.publicKey);
    const dpop = await prove({ htm: 'POST', htu: token }, { header: { jwk } });
    expect(await world.post('/token', await world.allow(), { dpop })).toMatchObject(invalidProof);
  });

  test('a client that registered for it must bring a proof', async () => {
    const strict = testClient('strict', { requiresDpop: true });
    const world = await openTokenWorld({ clock, clients: [strict] });
    const form = await world.allow({ clientId: strict.clientId });
    expect(await world.post('/token', form)).toMatchObject(invalidProof);
    const dpop = await atToken();
    expect(await world.post('/token', form, { dpop })).toMatchObject({ status: 200 });
  });

  test('a code that is bound to a key is useless without it', async () => {
    const world = await openTokenWorld({ clock });
    const dpopThumbprint = await calculateJwkThumbprint(await exportJWK(holder.publicKey));
    const form = await world.allow({}, { dpopThumbprint });
    const refused = { status: 400, body: { error: 'invalid_grant' } };
    expect(await world.post('/token', form)).toMatchObject(refused);
    const stolen = { dpop: await atToken(thief) };
    expect(await world.post('/token', form, stolen)).toMatchObject(refused);
    const own = { dpop: await atToken() };
    expect(await world.post('/token', form, own)).toMatchObject({ status: 200 });
  });

  test('the refresh token of a public client is useless without the key', async () => {
    const world = await openTokenWorld({ clock });
    const { refresh_token } = await world.signIn({}, { dpop: await atToken() });
    const form = { grant_type: 'refresh_token', client_id: 'app', refresh_token };
    const refused = { status: 400, body: { error: 'invalid_grant' } };
    expect(await world.post('/token', form)).toMatchObject(refused);
    expect(await world.post('/token', form, { dpop: await atToken(thief) })).toMatchObject(refused);
    const renewed = answered(await world.post('/token', form, { dpop: await atToken() }));
    expect(renewed.token_type).toBe('DPoP');
  });
});

describe('at a protected path [R5]', () => {
  const setUp = async () => {
    const world = await openTokenWorld({ clock });
    const { access_token } = await world.signIn({}, { dpop: await atToken() });
    const proven = { htm: 'GET', htu: mcp, ath: athOf(access_token) };
    return { world, access_token, proven };
  };

  test('a bound token needs a fresh proof for each request [A12]', async () => {
    const { world, access_token, proven } = await setUp();
    const proof = await prove(proven);
    expect(await use(world, access_token, proof)).toHaveProperty('principal');
    const { refusal } = await use(world, access_token, proof);
    expect(refusal?.status).toBe(401);
    expect(refusal?.challenges[0]).toMatch(/^DPoP error="invalid_dpop_proof"/);
  });

  test('a refusal names the proof as its reason, in the challenge as in the body', async () => {
    const { world, access_token } = await setUp();
    const headers = { authorization: `DPoP ${access_token}`, dpop: 'no proof' };
    const answer = await world.tokens.guard.protect(new Request(mcp, { headers }));
    if (!(answer instanceof Response)) throw new Error('A token without proof was let in.');
    expect(answer.headers.get('www-authenticate')).toMatch(/^DPoP error="invalid_dpop_proof"/);
    expect(await answer.json()).toMatchObject({ error: 'invalid_dpop_proof' });
  });

  test('a stolen token is useless: as bearer, without proof, or with the key of the thief', async () => {
    const { world, access_token, proven } = await setUp();
    const attempts = [
      await use(world, access_token, undefined, 'Bearer'),
      await use(world, access_token, await prove(proven), 'Bearer'),
      await use(world, access_token),
      await use(world, access_token, await prove(proven, { pair: thief })),
    ];
    for (const { refusal } of attempts) expect(refusal?.status).toBe(401);
  });

  test.each([
    ['another token', { ath: athOf('other') }],
    ['no token', { ath: undefined }],
    ['another path', { htu: `${issuer}/v1/subscriptions` }],
    ['another host', { htu: 'https://evil.example/mcp' }],
    ['another method', { htm: 'POST' }],
  ])('a proof for %s is refused', async (_, change) => {
    const { world, access_token, proven } = await setUp();
    const proof = await prove({ ...proven, ...change });
    expect((await use(world, access_token, proof)).refusal?.status).toBe(401);
  });

  test('a token that is not bound to a key is refused as a DPoP token', async () => {
    const world = await openTokenWorld({ clock });
    const { access_token } = await world.signIn();
    const proof = await prove({ htm: 'GET', htu: mcp, ath: athOf(access_token) });
    expect((await use(world, access_token, proof)).refusal?.status).toBe(401);
  });
});

test('proofs and assertions take the share of the address, or of the person and client whose token they come with [F43, N23]', async () => {
  const world = await openTokenWorld({ clock });
  const { access_token: accessToken } = await world.signIn({}, { dpop: await atToken() });
  const proof = await prove({ htm: 'POST', htu: mcp, ath: athOf(accessToken) });
  const headers = { authorization: `DPoP ${accessToken}`, dpop: proof };
  const { principal } = await world.tokens.guard.check(
    new Request(mcp, { method: 'POST', headers }),
  );
  expect(principal?.subject).toBe('ann');
  const shares = await world.database.all<{ key: string }>(
    sql`SELECT key FROM rate_limits WHERE name = 'spent-ids' ORDER BY key`,
  );
  expect(shares).toHaveLength(2);
  expect(shares.map(({ key }) => key)).toContain('ann app');
});
