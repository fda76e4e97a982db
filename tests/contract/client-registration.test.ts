import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { listOldestClients } from '../../src/authorization/store/client-store.ts';
import type { Queries } from '../../src/kernel/database/database.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import {
  formText,
  openTestAuthorization,
  type TestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';

const redirect_uris = ['http://localhost:3000/callback'];

describe.each(migratedEngines)('registration on $engine', ({ createStore }) => {
  const open = async (options: Parameters<typeof openTestAuthorization>[0] = {}) =>
    openTestAuthorization({ ...options, database: await (await createStore()).open() });

  test('answers 201 with a client id, and a secret for a confidential client [S10]', async () => {
    const { status, body, headers } = await register(await open(), { redirect_uris });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      client_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      client_secret_expires_at: 0,
      client_id_issued_at: expect.any(Number),
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      registration_access_token: expect.any(String),
      registration_client_uri: `http://localhost:8787/register/${body.client_id}`,
    });
  });

  test('gives a public client no secret [S10]', async () => {
    const metadata = { redirect_uris, token_endpoint_auth_method: 'none' };
    const { body } = await register(await open(), metadata);
    expect(body).not.toHaveProperty('client_secret');
    expect(body).not.toHaveProperty('client_secret_expires_at');
  });

  test('takes and returns the application type [L7]', async () => {
    const service = await open();
    const native = await register(service, { redirect_uris, application_type: 'native' });
    expect(native.body.application_type).toBe('native');
    expect((await register(service, { redirect_uris })).body.application_type).toBe('web');
  });

  test('lets a client read, update and delete itself by its registration token [R3]', async () => {
    const service = await open();
    const { body: made } = await register(service, { redirect_uris, client_name: 'One' });
    const path = `/register/${made.client_id}`;
    const token = String(made.registration_access_token);

    const read = await manage(service, path, { token });
    expect(read).toMatchObject({ status: 200, body: { client_name: 'One', redirect_uris } });
    expect(read.body).not.toHaveProperty('client_secret');

    const change = {
      client_id: made.client_id,
      redirect_uris: ['https://app.example.com/callback'],
      client_name: 'Two',
    };
    expect(await manage(service, path, { token, method: 'PUT', body: change })).toMatchObject({
      status: 200,
      body: { client_name: 'Two', redirect_uris: change.redirect_uris },
    });
    expect(await manage(service, path, { token })).toMatchObject({ body: { client_name: 'Two' } });

    expect((await manage(service, path, { token, method: 'DELETE' })).status).toBe(204);
    expect((await manage(service, path, { token })).status).toBe(401);
  });

  test('gives a client that becomes confidential a secret, and takes it from one that becomes public [R3]', async () => {
    const service = await open();
    const metadata = { redirect_uris, token_endpoint_auth_method: 'none' };
    const { body: made } = await register(service, metadata);
    const path = `/register/${made.client_id}`;
    const token = String(made.registration_access_token);
    const put = (method: string) =>
      manage(service, path, {
        token,
        method: 'PUT',
        body: { client_id: made.client_id, redirect_uris, token_endpoint_auth_method: method },
      });
    expect((await put('client_secret_post')).body.client_secret).toEqual(expect.any(String));
    expect((await put('client_secret_basic')).body).not.toHaveProperty('client_secret');
    await put('none');
    expect(await storedClients(service)).toMatchObject([{ secret_hash: null }]);
  });

  test('lets nobody manage the registration of another [R3]', async () => {
    const service = await open();
    const { body: mine } = await register(service, { redirect_uris });
    const { body: theirs } = await register(service, { redirect_uris });
    const token = String(mine.registration_access_token);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await manage(service, `/register/${theirs.client_id}`, {
        token,
        method,
        ...(method === 'PUT' ? { body: { client_id: theirs.client_id, redirect_uris } } : {}),
      });
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
    expect(await storedClients(service)).toHaveLength(2);
  });

  test('refuses an update that names another client [R3]', async () => {
    const service = await open();
    const { body: made } = await register(service, { redirect_uris });
    const answer = await manage(service, `/register/${made.client_id}`, {
      token: String(made.registration_access_token),
      method: 'PUT',
      body: { client_id: 'another', redirect_uris },
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test('takes the secret of a client in its update, and no other [R3]', async () => {
    const service = await open();
    const { body: made } = await register(service, { redirect_uris });
    const put = (client_secret: unknown) =>
      manage(service, `/register/${made.client_id}`, {
        token: String(made.registration_access_token),
        method: 'PUT',
        body: { client_id: made.client_id, client_secret, redirect_uris },
      });
    expect((await put(made.client_secret)).status).toBe(200);
    for (const other of ['chosen by the client', 7]) {
      expect(await put(other)).toMatchObject({
        status: 400,
        body: { error: 'invalid_client_metadata' },
      });
    }
  });

  test('stores neither the secret nor the registration token [R7]', async () => {
    const service = await open();
    const { body } = await register(service, { redirect_uris });
    const dump = JSON.stringify(await storedClients(service));
    expect(dump).not.toContain(body.client_secret);
    expect(dump).not.toContain(body.registration_access_token);
  });

  test('forgets a client that nobody uses [R6]', async () => {
    const service = await open();
    const { body } = await register(service, { redirect_uris });
    const path = `/register/${body.client_id}`;
    const token = String(body.registration_access_token);
    service.clock.advance(24 * 3_600_000 - 1);
    expect((await manage(service, path, { token })).status).toBe(200);
    service.clock.advance(1);
    expect((await manage(service, path, { token })).status).toBe(401);
    for (const worker of service.authorization.workers) {
      if (worker.name === 'authorization-request-pruner') startWorker(worker);
    }
    await service.clock.whenAsleep();
    expect(await storedClients(service)).toEqual([]);
  });

  test('keeps a limited number of unused clients per caller, dropping the oldest, and keeps those of others [R6, N5]', async () => {
    const service = await open();
    const from = (remoteAddress: string) =>
      register(service, { redirect_uris }, { connection: { remoteAddress, encrypted: false } });
    const { body: other } = await from('192.0.2.1');
    await fillClients(service, { count: 1_000, caller: '192.0.2.9' });
    for (let count = 0; count < 3; count++) expect((await from('192.0.2.9')).status).toBe(201);
    const kept = await storedClients(service);
    expect(kept).toHaveLength(1_001);
    expect(kept).toContainEqual(expect.objectContaining({ client_id: other.client_id }));
    expect(kept).not.toContainEqual(expect.objectContaining({ client_id: 'filled 1' }));
  });

  test('keeps a limited number in total, but locks nobody out and drops no client with a consent [R6, N5]', async () => {
    const service = await open({ environment: withOwner });
    const agreed = { redirect_uris, token_endpoint_auth_method: 'none' };
    const { body: app } = await register(service, agreed);
    await obtainToken(service, String(app.client_id), 'swap.read');
    const itself = { grant_types: ['client_credentials'] };
    const { body: robot } = await register(service, itself);
    const credentials = { client_id: robot.client_id, client_secret: robot.client_secret };
    const asRobot = () =>
      service.post('/token', {
        grant_type: 'client_credentials',
        ...(credentials as Record<string, string>),
      });
    expect((await asRobot()).status).toBe(200);
    service.clock.advance(200_000);
    await fillClients(service, { count: 100_000, caller: '192.0.2.9', isUsed: true });
    for (const worker of service.authorization.workers) {
      if (worker.name === 'authorization-request-pruner') startWorker(worker);
    }
    await service.clock.whenAsleep();
    expect((await asRobot()).body.error).toBe('invalid_client');
    const count = sql`SELECT COUNT(*) AS count FROM clients`;
    expect(await service.database.first(count)).toEqual({ count: 100_001 });
    expect((await register(service, { redirect_uris })).status).toBe(201);
    await obtainToken(service, String(app.client_id), 'swap.read');
  });

  test('refuses metadata that take more than 8 KiB, at first and later [N5]', async () => {
    const service = await open();
    const metadata = (kibibytes: number) => ({
      redirect_uris: Array.from({ length: kibibytes }, (_, n) =>
        `https://app.example.com/${n}/`.padEnd(1_024, 'a'),
      ),
    });
    const { body } = await register(service, metadata(7));
    const token = String(body.registration_access_token);
    const change = { client_id: body.client_id, ...metadata(8) };
    const path = `/register/${body.client_id}`;
    for (const answer of [
      await register(service, metadata(8)),
      await manage(service, path, { token, method: 'PUT', body: change }),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_client_metadata']);
      const words = /take 8\d{3} bytes and may take 8192: send fewer redirect_uris/;
      expect(answer.body.error_description).toMatch(words);
    }
    expect(await storedClients(service)).toHaveLength(1);
  });

  test('publishes the creation and the removal of a client through the outbox', async () => {
    const service = await open();
    await service.database.run(sql`
      INSERT INTO outbox_consumers (consumer, topic, seen_at)
      VALUES ('test', 'authorization.client-registered', 0),
        ('test', 'authorization.client-removed', 0)`);
    const { body } = await register(service, { redirect_uris });
    const token = String(body.registration_access_token);
    await manage(service, `/register/${body.client_id}`, { token, method: 'DELETE' });
    const rows = await service.database.all<{ payload: string }>(
      sql`SELECT payload FROM work ORDER BY position`,
    );
    const told = rows.map((row) => JSON.parse(row.payload));
    expect(told.map(({ topic }) => topic)).toEqual([
      'authorization.client-registered',
      'authorization.client-removed',
    ]);
    for (const { payload } of told) {
      expect(payload).toEqual({ clientId: body.client_id, at: service.clock.now() });
    }
  });

  test('limits each caller to the configured number in a minute [R6, A12]', async () => {
    const service = await open({ environment: { TRADEWIND_REGISTRATION_RATE: '5' } });
    const from = (remoteAddress: string) =>
      register(service, { redirect_uris }, { connection: { remoteAddress, encrypted: false } });
    for (let count = 0; count < 5; count++) expect((await from('192.0.2.1')).status).toBe(201);
    const refused = await from('192.0.2.1');
    expect(refused).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await from('192.0.2.2')).status).toBe(201);
    service.clock.advance(60_000);
    expect((await from('192.0.2.1')).status).toBe(201);
  });

  test('counts an IPv6 /64, and every spelling of an address, as one caller [A6]', async () => {
    const service = await open({ environment: { TRADEWIND_REGISTRATION_RATE: '1' } });
    const from = async (remoteAddress: string) =>
      (
        await register(
          service,
          { redirect_uris },
          { connection: { remoteAddress, encrypted: false } },
        )
      ).status;
    expect(await from('2001:db8:0:1::1')).toBe(201);
    expect(await from('2001:db8:0:1:ffff::2')).toBe(429);
    expect(await from('2001:0DB8:0000:0001::3')).toBe(429);
    expect(await from('2001:db8:0:2::1')).toBe(201);
    expect(await from('192.0.2.1')).toBe(201);
    expect(await from('::ffff:192.0.2.1')).toBe(429);
    expect(await from('::ffff:c000:201')).toBe(429);
  });

  test('needs a token where it is set so, and beyond loopback by default [S10]', async () => {
    const service = await open({
      isLoopback: false,
      environment: { TRADEWIND_REGISTRATION_TOKEN: 'sixteen-letters-and-more' },
    });
    const without = await register(service, { redirect_uris });
    expect(without).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    expect(without.headers.get('www-authenticate')).toBe('Bearer');
    expect((await register(service, { redirect_uris }, { token: 'wrong' })).status).toBe(401);
    const token = 'sixteen-letters-and-more';
    expect((await register(service, { redirect_uris }, { token })).status).toBe(201);
  });

  test('is reserved to the operator where it is switched off [S10]', async () => {
    const environment = {
      TRADEWIND_REGISTRATION: 'off',
      TRADEWIND_REGISTRATION_TOKEN: 'sixteen-letters-and-more',
    };
    const service = await open({ environment });
    expect(await register(service, { redirect_uris })).toMatchObject({
      status: 403,
      body: { error: 'access_denied' },
    });
    const holder = { token: 'sixteen-letters-and-more' };
    expect((await register(service, { redirect_uris }, holder)).status).toBe(403);
    const operator = { token: operatorToken(service) };
    expect((await register(service, { redirect_uris }, operator)).status).toBe(201);
  });

  test('knows the operator by a file that only its owner can read [S10]', async () => {
    const service = await open();
    expect(statSync(join(service.dataDir, 'operator.token')).mode & 0o777).toBe(0o600);
    const token = operatorToken(service);
    const { body } = await register(service, { redirect_uris, client_name: 'By hand' }, { token });
    service.clock.advance(365 * 24 * 3_600_000);
    const list = await manage(service, '/register', { token });
    expect(list.body).toEqual({
      clients: [expect.objectContaining({ client_id: body.client_id, origin: 'operator' })],
    });
    expect((await manage(service, '/register', {})).status).toBe(401);
    expect((await manage(service, '/register', { token: 'wrong' })).status).toBe(401);
    const path = `/register/${body.client_id}`;
    expect((await manage(service, path, { token, method: 'DELETE' })).status).toBe(204);
    expect((await manage(service, path, { token })).body.error).toBe('invalid_request');
  });

  test('knows the operator by an access token of scope admin, and by no other token [S10, A5]', async () => {
    const service = await open({ environment: { TRADEWIND_REGISTRATION: 'off', ...withOwner } });
    const operator = { token: operatorToken(service) };
    const redirect = { redirect_uris, token_endpoint_auth_method: 'none' };
    const { body: client } = await register(service, redirect, operator);
    const tokenFor = (scope: string) => obtainToken(service, String(client.client_id), scope);

    const ordinary = await tokenFor('swap.read');
    expect((await manage(service, '/register', { token: ordinary })).status).toBe(401);
    expect((await register(service, redirect, { token: ordinary })).status).toBe(403);

    const token = await tokenFor('admin');
    const made = await register(service, redirect, { token });
    expect(made.status).toBe(201);
    const list = await manage(service, '/register', { token });
    expect(list.body.clients).toHaveLength(2);
    const path = `/register/${made.body.client_id}`;
    expect((await manage(service, path, { token, method: 'DELETE' })).status).toBe(204);
  });

  test('keeps a client within what the operator gave it, unless the operator asks [S10]', async () => {
    const service = await open();
    const operator = operatorToken(service);
    const metadata = { redirect_uris, scope: 'swap.read' };
    const { body: made } = await register(service, metadata, { token: operator });
    const { client_id } = made;
    const change = (token: string, body: object) =>
      manage(service, `/register/${client_id}`, {
        token,
        method: 'PUT',
        body: { client_id, redirect_uris, ...body },
      });
    const own = String(made.registration_access_token);
    const grant_types = ['authorization_code', 'client_credentials'];
    for (const wider of [{}, { scope: 'swap.read admin' }, { scope: 'swap.read', grant_types }]) {
      expect(await change(own, wider)).toMatchObject({
        status: 400,
        body: { error: 'invalid_client_metadata' },
      });
    }
    expect((await change(own, { scope: 'swap.read', client_name: 'Mine' })).status).toBe(200);
    expect((await change(operator, { scope: 'swap.read admin' })).status).toBe(200);
  });

  test('narrows what the refresh tokens of a client give when the operator narrows the client [R3, A12]', async () => {
    const service = await open({ environment: withOwner });
    const operator = operatorToken(service);
    const metadata = { redirect_uris, token_endpoint_auth_method: 'none' };
    const { body: made } = await register(
      service,
      { ...metadata, scope: 'swap.read subscriptions.read' },
      { token: operator },
    );
    const { client_id } = made;
    const narrow = async (scope: string) => {
      const body = { ...metadata, client_id, scope };
      const path = `/register/${client_id}`;
      const changed = await manage(service, path, { token: operator, method: 'PUT', body });
      expect(changed.status).toBe(200);
    };
    let refresh_token = await obtainRefreshToken(service, String(client_id));
    const refresh = async (more: Record<string, string> = {}) => {
      const form = { grant_type: 'refresh_token', client_id: String(client_id), ...more };
      const answer = await service.post('/token', { ...form, refresh_token });
      refresh_token = String(answer.body.refresh_token ?? refresh_token);
      return answer;
    };
    expect((await refresh()).body.scope).toBe('swap.read subscriptions.read');
    await narrow('swap.read');
    expect((await refresh()).body.scope).toBe('swap.read');
    expect(await refresh({ scope: 'subscriptions.read' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
    // No scope of the grant is left, but the refusal does not spend its refresh token.
    await narrow('subscriptions.write');
    expect(await refresh()).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description: expect.stringContaining('subscriptions.write'),
      },
    });
    await narrow('subscriptions.read subscriptions.write');
    expect((await refresh()).body.scope).toBe('subscriptions.read');
  });

  test('with a scope does not bind a client that has only what people allow it [R3]', async () => {
    const service = await open({ environment: withOwner });
    const metadata = { redirect_uris, token_endpoint_auth_method: 'none' };
    const { body: made } = await register(service, { ...metadata, scope: 'swap.read' });
    const client_id = String(made.client_id);
    const scope = 'swap.read subscriptions.read';
    const refresh_token = await obtainRefreshToken(service, client_id, scope);
    const form = { grant_type: 'refresh_token', client_id, refresh_token };
    expect((await service.post('/token', form)).body.scope).toBe(scope);
  });

  test.each(['/register/%00', '/authorize?client_id=%00', '/authorize/%00', '/account'])(
    'answers no 5xx to a NUL character, which no store can hold: %s [A12]',
    async (path) => {
      const service = await open();
      expect((await service.request(path)).status).toBeLessThan(500);
      const form = { grant_type: 'client_credentials', client_id: '\0', client_secret: '\0' };
      expect((await service.post('/token', form)).status).toBeLessThan(500);
      const { client_id } = await service.register();
      const device = { client_id, scope: '\0', resource: 'http://localhost:8787/\0' };
      expect((await service.post('/device_authorization', device)).status).toBeLessThan(500);
      const asked = formText({
        client_id,
        response_type: 'code',
        code_challenge: 'a'.repeat(43),
        code_challenge_method: 'S256',
        state: '\0\ud800',
        login_hint: '\0',
      });
      expect((await service.request(`/authorize?${asked}`)).status).toBeLessThan(500);
      expect((await service.post('/par', { client_id, state: '\0' })).status).toBeLessThan(500);
    },
  );

  test('a change or deletion of a client in use takes effect at once here, and within a second elsewhere [R3, R4]', async () => {
    const database = await (await createStore()).open();
    const clock = createFakeClock();
    const [here, elsewhere] = [
      await openTestAuthorization({ database, clock }),
      await openTestAuthorization({ database, clock }),
    ];
    const grant_types = ['client_credentials'];
    const {
      client_id = '',
      client_secret,
      registration_access_token: token = '',
    } = await here.register({
      token_endpoint_auth_method: 'client_secret_post',
      grant_types,
    });
    const form = { grant_type: 'client_credentials', client_id, client_secret };
    const scopeAt = async (service: TestAuthorization) =>
      (await service.post('/token', form)).body.scope;
    const manageHere = (method: string, body?: object) =>
      manage(here, `/register/${client_id}`, { token, method, ...(body ? { body } : {}) });
    const all = await scopeAt(here);
    expect([await scopeAt(here), await scopeAt(elsewhere)]).toEqual([all, all]);

    const scope = 'swap.read';
    const token_endpoint_auth_method = 'client_secret_post';
    const change = { client_id, redirect_uris, grant_types, token_endpoint_auth_method, scope };
    expect((await manageHere('PUT', change)).status).toBe(200);
    expect(await scopeAt(here)).toBe(scope);
    clock.advance(1_000);
    expect(await scopeAt(elsewhere)).toBe(scope);

    expect((await manageHere('DELETE')).status).toBe(204);
    expect((await here.post('/token', form)).status).toBe(401);
    clock.advance(1_000);
    expect((await elsewhere.post('/token', form)).status).toBe(401);
  });

  test('lists clients page by page', async () => {
    const service = await open();
    const token = operatorToken(service);
    const made = [];
    for (let count = 0; count < 5; count++) {
      made.push((await register(service, { redirect_uris }, { token })).body.client_id);
    }
    const listed: unknown[] = [];
    for (let after: unknown = ''; after !== undefined; ) {
      const { body } = await manage(service, `/register?limit=2&after=${after}`, { token });
      listed.push(...(body.clients as { client_id: string }[]).map((client) => client.client_id));
      after = body.next;
    }
    expect(listed).toEqual(made.toSorted());
    for (const limit of ['-1', '0', '1e9', 'all']) {
      const { status, body } = await manage(service, `/register?limit=${limit}`, { token });
      expect([status, body.error]).toEqual([400, 'invalid_request']);
    }
  });
});

type Answer = { status: number; headers: Headers; body: Record<string, unknown> };

async function register(
  service: TestAuthorization,
  metadata: object,
  {
    token,
    connection,
  }: { token?: string; connection?: { remoteAddress: string; encrypted: boolean } } = {},
): Promise<Answer> {
  const headers = {
    'Content-Type': 'application/json',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
  const body = JSON.stringify(metadata);
  return read(await service.request('/register', { method: 'POST', headers, body }, connection));
}

test('the oldest clients are found without reading their metadata [N11]', async () => {
  const [{ createStore }] = migratedEngines;
  const { database } = await openTestAuthorization({
    database: await (await createStore()).open(),
  });
  const plans: unknown[] = [];
  const explained: Queries = {
    ...database,
    async all(statement) {
      plans.push(...(await database.all(sql`EXPLAIN QUERY PLAN ${statement}`)));
      return [];
    },
  };
  await listOldestClients(explained, { kept: 100_000, limit: 500 });
  expect(plans).toContainEqual(
    expect.objectContaining({ detail: 'SCAN clients USING COVERING INDEX clients_by_age' }),
  );
});

/** The owner allows a public client what it asks for, and the client redeems its code. */
async function obtainRefreshToken(
  service: TestAuthorization,
  client_id: string,
  scope?: string,
): Promise<string> {
  const { codeVerifier, codeChallenge } = createPkce();
  const [redirect_uri = ''] = redirect_uris;
  const request = formText({
    client_id,
    redirect_uri,
    response_type: 'code',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...(scope === undefined ? {} : { scope }),
  });
  const answer = await service.decide(`/authorize?${request}`);
  const code = answer.searchParams.get('code') ?? '';
  const redeem = { grant_type: 'authorization_code', client_id, code, redirect_uri };
  const tokens = await service.post('/token', { ...redeem, code_verifier: codeVerifier });
  return String(tokens.body.refresh_token);
}

async function manage(
  service: TestAuthorization,
  path: string,
  { token, method = 'GET', body }: { token?: string; method?: string; body?: object },
): Promise<Answer> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return read(await service.request(path, { method, headers, ...sent }));
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = text === '' ? {} : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

/** The owner allows a client a scope. Returns the client's token for it. */
async function obtainToken(service: TestAuthorization, client_id: string, scope: string) {
  const { codeVerifier, codeChallenge } = createPkce();
  const request = formText({
    client_id,
    scope,
    response_type: 'code',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  });
  const answer = await service.decide(`/authorize?${request}`);
  const { body } = await service.post('/token', {
    grant_type: 'authorization_code',
    client_id,
    code: answer.searchParams.get('code') ?? '',
    redirect_uri: redirect_uris[0],
    code_verifier: codeVerifier,
  });
  return String(body.access_token);
}

/** Inserts clients of one caller, each a millisecond younger than the one before. */
async function fillClients(
  { database, clock }: TestAuthorization,
  { count, caller, isUsed = false }: { count: number; caller: string; isUsed?: boolean },
) {
  const expiresAt = isUsed ? null : clock.now() + 1_000_000;
  await database.run(sql`
    WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
    INSERT INTO clients (client_id, origin, metadata, registration_token_hash, created_at,
      expires_at, caller)
    SELECT 'filled ' || n, 'registered', '{}', '', CAST(${clock.now() - count} AS BIGINT) + n,
      CAST(${expiresAt} AS BIGINT), ${caller}
    FROM counted`);
}

function storedClients({ database }: TestAuthorization) {
  return database.all(sql`SELECT * FROM clients`);
}

function operatorToken({ dataDir }: TestAuthorization): string {
  return readFileSync(join(dataDir, 'operator.token'), 'utf8');
}
