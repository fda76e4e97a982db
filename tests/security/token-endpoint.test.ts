import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { authorizationLimits } from '../../src/authorization/limits.ts';
import type { AccountId } from '../../src/authorization/model/account.ts';
import { sql, sqlText } from '../../src/kernel/database/sql.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openTestAuthorization } from '../support/open-test-authorization.ts';
import {
  answered,
  asMachine,
  confidentialClient,
  issuer,
  openTokenWorld,
  secret,
  testClient,
} from '../support/open-token-world.ts';

const basic = (id: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
});
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const credentials = { grant_type: 'client_credentials' };
const refused = { status: 401, body: { error: 'invalid_client' } };

describe('a client', () => {
  test('may send its secret in the header or in the form [S11]', async () => {
    const { post } = await openTokenWorld({});
    expect(await post('/token', credentials, basic('machine', secret))).toMatchObject({
      status: 200,
    });
    const form = { ...credentials, client_id: 'machine', client_secret: secret };
    expect(await post('/token', form)).toMatchObject({ status: 200 });
  });

  test.each([
    ['a wrong secret', basic('machine', 'wrong'), {}],
    ['no secret', {}, { client_id: 'machine' }],
    ['an unknown id', basic('nobody', secret), {}],
    ['a secret where it has none', {}, { client_id: 'app', client_secret: 'x' }],
    ['a header that cannot be read', { authorization: 'Basic %%%' }, {}],
    ['nothing at all', {}, {}],
  ])('that brings %s is refused', async (_, headers, form) => {
    const { post } = await openTokenWorld({});
    expect(await post('/token', { ...credentials, ...form }, headers)).toMatchObject(refused);
  });

  test('that authenticates in two ways at once is refused', async () => {
    const { post } = await openTokenWorld({});
    const form = { ...credentials, client_id: 'machine', client_secret: secret };
    expect(await post('/token', form, basic('machine', secret))).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  test.each([
    ['no grant type', {}],
    ['no code', { grant_type: 'authorization_code' }],
    ['no refresh token', { grant_type: 'refresh_token' }],
    ['no device code', { grant_type: deviceGrant }],
  ])('that brings %s gets invalid_request', async (_, form) => {
    const grantTypes = ['authorization_code', 'refresh_token', deviceGrant] as const;
    const { post } = await openTokenWorld({ clients: [testClient('whole', { grantTypes })] });
    expect(await post('/token', { client_id: 'whole', ...form })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  test('never gets the scope admin for itself [S11]', async () => {
    const scope = ['swap.read', 'admin'] as const;
    const machine = confidentialClient('powerful', { scope, defaultScope: scope });
    const { post } = await openTokenWorld({ clients: [machine] });
    const headers = basic('powerful', secret);
    expect(answered(await post('/token', credentials, headers)).scope).toBe('swap.read');
    expect(await post('/token', { ...credentials, scope: 'admin' }, headers)).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
  });

  test('never gets the scope folders.read for itself, unless the operator gave it by name [F11]', async () => {
    const scope = ['swap.read', 'folders.read'] as const;
    const clients = [
      confidentialClient('curious', { scope, defaultScope: scope }),
      confidentialClient('indexer', { origin: 'operator', scope, defaultScope: scope }),
    ];
    const { post } = await openTokenWorld({ clients });
    const granted = async (name: string) =>
      answered(await post('/token', credentials, basic(name, secret))).scope;
    expect(await granted('curious')).toBe('swap.read');
    expect(await granted('indexer')).toBe('swap.read folders.read');
  });

  test('has the scope admin for itself where the operator gave it by name', async () => {
    const scope = ['swap.read', 'admin'] as const;
    const trusted = { origin: 'operator', scope, defaultScope: scope } as const;
    const { post } = await openTokenWorld({ clients: [confidentialClient('trusted', trusted)] });
    const headers = basic('trusted', secret);
    expect(answered(await post('/token', credentials, headers)).scope).toBe('swap.read admin');
  });
});

describe('a client that signs assertions', async () => {
  const clock = createFakeClock();
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] };
  const signer = confidentialClient('signer', {
    authentication: 'private_key_jwt',
    secretHash: undefined,
    jwks,
  });
  const now = clock.now() / 1_000;
  const good = { iss: 'signer', sub: 'signer', aud: issuer, exp: now + 60, jti: 'one' };
  const form = async (claims: object, header = { alg: 'ES256', kid: 'k' }) => ({
    ...credentials,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new SignJWT({ ...claims }).setProtectedHeader(header).sign(privateKey),
  });

  test('is known by its key, for the issuer or the token endpoint', async () => {
    const { post } = await openTokenWorld({ clock, clients: [signer] });
    for (const [index, aud] of [issuer, `${issuer}/token`].entries()) {
      const assertion = await form({ ...good, aud, jti: `good-${index}` });
      expect(await post('/token', assertion)).toMatchObject({ status: 200 });
    }
  });

  test('cannot use an assertion twice [R8]', async () => {
    const { post } = await openTokenWorld({ clock, clients: [signer] });
    const assertion = await form(good);
    const answers = await Promise.all([post('/token', assertion), post('/token', assertion)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('may have its assertions expire after an hour, of which the ids are remembered for minutes [N5]', async () => {
    const clock = createFakeClock();
    const { post, database } = await openTokenWorld({ clock, clients: [signer] });
    const [first, second] = [
      await form({ ...good, iat: now, exp: now + 3_600 }),
      await form({ ...good, iat: now + 0.123_456, exp: now + 3_600, jti: 'two' }),
    ];
    expect(await post('/token', first)).toMatchObject({ status: 200 });
    const until = clock.now() + authorizationLimits.assertionLife.value + 10_000;
    expect(await database.all(sql`SELECT expires_at FROM spent_ids`)).toEqual([
      { expires_at: until },
    ]);
    clock.advance(until - clock.now() - 1);
    expect(await post('/token', first)).toMatchObject(refused);
    expect(await post('/token', second)).toMatchObject({ status: 200 });
    expect(await database.all(sql`SELECT expires_at FROM spent_ids ORDER BY expires_at`)).toEqual([
      { expires_at: until },
      { expires_at: until + 124 },
    ]);
    // By the time its id is forgotten, the assertion has expired.
    clock.advance(1);
    await database.run(sql`DELETE FROM spent_ids`);
    expect(await post('/token', first)).toMatchObject(refused);
  });

  test.each([
    ['for another server', { aud: 'https://other.example' }],
    ['of another client', { iss: 'machine' }],
    ['without expiry', { exp: undefined }],
    ['that expired', { exp: now - 60 }],
    ['that would live too long', { exp: now + 330 }],
    ['that was made too long ago', { iat: now - 330 }],
    ['that is yet to be made', { iat: now + 60, exp: now + 3_600 }],
    ['without an id', { jti: undefined }],
  ])('is refused with an assertion %s', async (_, change) => {
    const { post } = await openTokenWorld({ clock, clients: [signer] });
    expect(await post('/token', await form({ ...good, ...change }))).toMatchObject(refused);
  });

  test.each([
    [['https://evil.example', issuer]],
    [[`${issuer}/token`, 'https://evil.example/token']],
    [[issuer, 'https://evil.example', `${issuer}/token`]],
  ])('is refused with an assertion that is for somebody else too: %j [F92]', async (aud) => {
    const { post } = await openTokenWorld({ clock, clients: [signer] });
    const assertion = await form({ ...good, aud, jti: `shared-${aud}` });
    expect(await post('/token', assertion)).toMatchObject(refused);
  });

  test('is refused with an assertion by another key', async () => {
    const other = await generateKeyPair('ES256');
    const { post } = await openTokenWorld({ clock, clients: [signer] });
    const assertion = await new SignJWT(good)
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .sign(other.privateKey);
    const signed = { ...(await form(good)), client_assertion: assertion };
    expect(await post('/token', signed)).toMatchObject(refused);
  });
});

test('responses, including errors, may not be cached [R1]', async () => {
  const { post } = await openTokenWorld({});
  for (const { headers } of [
    await post('/token', credentials, asMachine),
    await post('/token', credentials),
    await post('/introspect', { token: 'x' }, asMachine),
    await post('/revoke', { token: 'x' }, asMachine),
  ]) {
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  }
});

describe('failures', () => {
  test('are limited, successes are not, and the right secret works all the same [R6]', async () => {
    const { post } = await openTokenWorld({});
    const statuses = new Map<number, number>();
    for (let count = 0; count < 100; count++) {
      const { status, headers } = await post('/token', credentials, basic('machine', 'wrong'));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 401: 60, 429: 40 });
    for (let count = 0; count < 100; count++) {
      expect(await post('/token', credentials, asMachine)).toMatchObject({ status: 200 });
    }
  });

  test('of one client leave those of another their own limit [R6]', async () => {
    const { post } = await openTokenWorld({});
    for (let count = 0; count < 61; count++) {
      await post('/token', credentials, basic('machine', 'wrong'));
    }
    expect(await post('/token', credentials, basic('stranger', 'wrong'))).toMatchObject(refused);
  });

  test('under made-up ids share the limit of their caller [R6]', async () => {
    const { post } = await openTokenWorld({});
    const statuses = new Set<number>();
    for (let count = 0; count < 61; count++) {
      statuses.add((await post('/token', credentials, basic(`made-up-${count}`, 'x'))).status);
    }
    expect([...statuses]).toEqual([401, 429]);
  });
});

test('failures under addresses of documents that nobody can read share the limit of their caller [R6, A12]', async () => {
  const { post } = await openTestAuthorization();
  const statuses = [];
  for (let count = 0; count < 61; count++) {
    const client_id = `https://127.0.0.1/client-${count}.json`;
    statuses.push((await post('/token', { ...credentials, client_id })).status);
  }
  expect([...new Set(statuses)]).toEqual([401, 429]);
});

describe('revocation [R4]', () => {
  test('of an access token ends it alone', async () => {
    const world = await openTokenWorld({});
    const { access_token, refresh_token } = await world.signIn();
    expect(await world.post('/revoke', { client_id: 'app', token: access_token })).toMatchObject({
      status: 200,
    });
    expect(await world.enter(access_token)).toBe(401);
    expect(await world.refresh(refresh_token)).toMatchObject({ status: 200 });
  });

  test('of a refresh token ends everything of its grant', async () => {
    const world = await openTokenWorld({});
    const { access_token, refresh_token } = await world.signIn();
    await world.post('/revoke', { client_id: 'app', token: refresh_token });
    expect(await world.enter(access_token)).toBe(401);
    expect(await world.refresh(refresh_token)).toMatchObject({ status: 400 });
  });

  test.each(['unknown', 'a.b.c', `${'a'.repeat(22)}.${'b'.repeat(43)}`])(
    'of the unknown token %s is answered 200',
    async (token) => {
      const { post } = await openTokenWorld({});
      expect(await post('/revoke', { client_id: 'app', token })).toMatchObject({ status: 200 });
    },
  );

  test("of another client's tokens is answered 200 and changes nothing [A12]", async () => {
    const world = await openTokenWorld({});
    const { access_token, refresh_token } = await world.signIn();
    for (const token of [access_token, refresh_token]) {
      const form = { client_id: 'other', token };
      expect(await world.post('/revoke', form)).toMatchObject({ status: 200 });
    }
    expect(await world.enter(access_token)).toBe(200);
    expect(await world.refresh(refresh_token)).toMatchObject({ status: 200 });
  });

  test('of access tokens is limited per caller, as every process remembers each; of refresh tokens it is not [N5]', async () => {
    const clock = createFakeClock();
    const world = await openTokenWorld({ clock });
    const revoke = async () => {
      const { access_token } = await world.actForItself();
      const { status, body } = await world.post('/revoke', { token: access_token }, asMachine);
      return { status, error: body.error, entered: await world.enter(access_token) };
    };
    const { value: limit } = authorizationLimits.revocations;
    for (let count = 0; count < limit; count++) {
      expect(await revoke()).toMatchObject({ status: 200, entered: 401 });
    }
    expect(await revoke()).toEqual({ status: 429, error: 'temporarily_unavailable', entered: 200 });
    const { access_token, refresh_token } = await world.signIn();
    await world.post('/revoke', { client_id: 'app', token: refresh_token });
    expect(await world.enter(access_token)).toBe(401);
    clock.advance(60_000);
    expect(await revoke()).toMatchObject({ status: 200, entered: 401 });
  });

  test('wants to know the client, and the credentials of one that has them', async () => {
    const { post } = await openTokenWorld({});
    expect(await post('/revoke', { token: 'x' })).toMatchObject(refused);
    expect(await post('/revoke', { token: 'x', client_id: 'machine' })).toMatchObject(refused);
  });

  test('of a client ends its tokens, including those issued afterwards', async () => {
    const clock = createFakeClock();
    const world = await openTokenWorld({ clock });
    const before = await world.actForItself();
    const { clientId } = confidentialClient('machine');
    await world.tokens.grants.revokeClient(clientId, async () => true);
    expect(await world.enter(before.access_token)).toBe(401);
    clock.advance(1_000);
    expect(await world.enter((await world.actForItself()).access_token)).toBe(401);
  });
});

describe('introspection [R4]', () => {
  test('tells a client about its own tokens', async () => {
    const world = await openTokenWorld({});
    const { access_token } = await world.actForItself();
    const { body } = await world.post('/introspect', { token: access_token }, asMachine);
    expect(body).toMatchObject({ active: true, client_id: 'machine', token_type: 'Bearer' });
  });

  test('says of a token that does not hold that it is not active, and nothing else', async () => {
    const clock = createFakeClock();
    const world = await openTokenWorld({ clock });
    const { access_token } = await world.actForItself();
    clock.advance(600_000);
    for (const token of [
      access_token,
      'nonsense',
      'a.b.c',
      `${'a'.repeat(22)}.${'b'.repeat(43)}`,
    ]) {
      const answer = await world.post('/introspect', { token }, asMachine);
      expect([answer.status, answer.body]).toEqual([200, { active: false }]);
    }
  });

  test("says the same of others' tokens: asking around teaches nothing [A12]", async () => {
    const world = await openTokenWorld({});
    const { access_token, refresh_token } = await world.signIn();
    for (const client of ['machine', 'operated']) {
      for (const token of [access_token, refresh_token]) {
        const answer = await world.post('/introspect', { token }, basic(client, secret));
        expect(answer.body).toEqual({ active: false });
      }
    }
  });

  test('tells the guard of another server, made by the operator, about tokens for it', async () => {
    const world = await openTokenWorld({});
    const { access_token } = await world.actForItself({ resource: 'https://context.example/mcp' });
    const ask = async (client: string) =>
      (await world.post('/introspect', { token: access_token }, basic(client, secret))).body.active;
    expect(await ask('operated')).toBe(true);
    expect(await ask('stranger')).toBe(false);
  });

  test('wants an authenticated caller', async () => {
    const world = await openTokenWorld({});
    const { access_token } = await world.signIn();
    expect(await world.post('/introspect', { token: access_token })).toMatchObject(refused);
    const form = { token: access_token, client_id: 'app' };
    expect(await world.post('/introspect', form)).toMatchObject(refused);
  });
});

test('a dump of the database holds nothing that can be used [R7]', async () => {
  const world = await openTokenWorld({});
  const pending = await world.allow();
  const spent = await world.allow();
  const { refresh_token, access_token } = answered(await world.post('/token', spent));
  const next = answered(await world.refresh(refresh_token));
  const tables = await world.database.all<{ name: string }>(
    sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  );
  let dump = '';
  for (const { name } of tables) {
    dump += JSON.stringify(await world.database.all(sqlText(`SELECT * FROM ${name}`)));
  }
  expect(dump).toContain('ann');
  const secrets = [
    pending.code,
    spent.code,
    access_token,
    next.access_token,
    ...[refresh_token, next.refresh_token].flatMap((token) => [token, ...token.split('.')]),
  ];
  for (const found of secrets) expect(dump).not.toContain(found);
});

describe('a device [R8]', () => {
  const clientId = testClient('app').clientId;
  const poll = (deviceCode: string) => ({
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: 'app',
    device_code: deviceCode,
  });

  async function start(clock = createFakeClock()) {
    const world = await openTokenWorld({ clock });
    const { database, tokens } = world;
    const started = await database.transaction((tx) => tokens.deviceCodes.start(tx, clientId));
    const allow = () =>
      tokens.grants.transaction(async (tx, revoke) => {
        const change = { tx, revoke };
        const grantId = await tokens.grants.create(change, {
          accountId: 'ann' as AccountId,
          clientId,
          scope: ['swap.read'],
          resources: [],
          identityProviderSessionId: undefined,
        });
        await tokens.deviceCodes.allow(tx, started.id, grantId);
      });
    const ask = () => world.post('/token', poll(started.deviceCode));
    return { world, started, allow, ask, clock };
  }

  test('waits, is told to slow down, and gets its tokens once', async () => {
    const { allow, ask, clock } = await start();
    expect((await ask()).body.error).toBe('authorization_pending');
    expect((await ask()).body.error).toBe('slow_down');
    clock.advance(10_000);
    expect((await ask()).body.error).toBe('authorization_pending');
    await allow();
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('waits no longer than a minute, and writes nothing by asking earlier [N5]', async () => {
    const { world, ask, clock } = await start();
    await ask();
    for (let times = 0; times < 11; times++) expect((await ask()).body.error).toBe('slow_down');
    const read = () =>
      world.database.first<{ interval_seconds: number; polled_at: number }>(
        sql`SELECT interval_seconds, polled_at FROM device_codes`,
      );
    const polledAt = clock.now();
    clock.advance(59_999);
    expect((await ask()).body).toMatchObject({
      error: 'slow_down',
      error_description: expect.stringContaining('wait 60 seconds'),
    });
    expect(await read()).toEqual({ interval_seconds: 60, polled_at: polledAt });
    clock.advance(1);
    expect((await ask()).body.error).toBe('authorization_pending');
  });

  test('that polls too early too often is limited as a failing client [N5, R6]', async () => {
    const { ask, clock } = await start();
    await ask();
    for (let times = 0; times < 60; times++) expect((await ask()).status).toBe(400);
    expect((await ask()).status).toBe(429);
    clock.advance(60_000);
    expect((await ask()).body.error).toBe('authorization_pending');
  });

  test('is told of a refusal, and of the end of its time', async () => {
    const denied = await start();
    const { database, tokens } = denied.world;
    await database.transaction((tx) => tokens.deviceCodes.deny(tx, denied.started.id));
    expect((await denied.ask()).body.error).toBe('access_denied');
    const late = await start();
    late.clock.advance(600_000);
    expect((await late.ask()).body.error).toBe('expired_token');
  });

  test('cannot use the code of another client, nor its public name', async () => {
    const { world, started, allow } = await start();
    await allow();
    const other = { ...poll(started.deviceCode), client_id: 'other' };
    expect((await world.post('/token', other)).body.error).toBe('invalid_grant');
    expect((await world.post('/token', poll(started.id))).body.error).toBe('invalid_grant');
  });
});
