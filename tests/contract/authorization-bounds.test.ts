import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { createClientRegistry } from '../../src/authorization/clients/client-registry.ts';
import { createSpendId } from '../../src/authorization/grants/spend-id.ts';
import { authorizationLimits } from '../../src/authorization/limits.ts';
import { pruneSignInAttempts } from '../../src/authorization/store/identity-provider-store.ts';
import { createRequestPruner } from '../../src/authorization/store/pruners.ts';
import { sql, sqlText } from '../../src/kernel/database/sql.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import {
  issuer,
  openTestAuthorization,
  type TestAuthorization,
} from '../support/open-test-authorization.ts';
import { proveWallet } from '../support/prove-wallet.ts';
import { startWorker } from '../support/start-worker.ts';
import { createTestBrowser } from '../support/test-browser.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { testScopes } from '../support/test-scopes.ts';

describe.each(migratedEngines)('what any caller may ask for on $engine', ({ createStore }) => {
  const open = async () => openTestAuthorization({ database: await (await createStore()).open() });

  test('is a limited number of client management requests per caller, authorized or not [N5]', async () => {
    const service = await open();
    const { client_id, registration_access_token } = await service.register();
    const call = (method: string, { id = client_id, remoteAddress = '192.0.2.1' } = {}) =>
      service.request(
        `/register/${id}`,
        { method, headers: { Authorization: `Bearer ${registration_access_token}` } },
        { remoteAddress, encrypted: false },
      );
    const { value: limit } = authorizationLimits.configurationRequests;
    expect((await call('GET')).status).toBe(200);
    for (let count = 1; count < limit; count++) {
      expect((await call('GET', { id: 'guessed' })).status).toBe(401);
    }
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const refused = await call(method);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    }
    expect((await call('GET', { remoteAddress: '192.0.2.2' })).status).toBe(200);
    service.clock.advance(60_000);
    expect((await call('DELETE')).status).toBe(204);
  });

  test('is a device request no larger than any other [F20, N5]', async () => {
    const service = await open();
    const ask = await openDevices(service);
    const resource = `${issuer}/mcp/${'x'.repeat(900)}`;
    const resources = (count: number) =>
      Array.from({ length: count }, (_, index) => ['resource', resource + index] as const);
    const refused = await ask(resources(10));
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringMatching(/characters, and 8192 are allowed/),
    });
    expect((await ask(resources(8))).status).toBe(200);
    for (const table of ['interactions', 'device_codes'] as const) {
      expect(await countRows(service, table)).toBe(1);
    }
  });

  test('is a limited number of device requests per caller, of which the oldest expire [F20, N5]', async () => {
    const service = await open();
    const ask = await openDevices(service);
    const others = await ask([], '192.0.2.2');
    const oldest = await ask([]);
    service.clock.advance(1);
    const { value: most } = authorizationLimits.interactionsOfCaller;
    await fillInteractions(service, { count: most - 1, caller: '192.0.2.1' });
    const newest = await ask([]);
    expect(await countRows(service, 'interactions')).toBe(most + 1);
    expect(await oldest.poll()).toMatchObject({ status: 400, body: { error: 'expired_token' } });
    for (const device of [others, newest]) {
      expect((await device.poll()).body).toMatchObject({ error: 'authorization_pending' });
    }
  });

  test('is dropped by age, so that a device keeps its code while older requests exist [F20, N5]', async () => {
    const service = await open();
    const ask = await openDevices(service);
    const older = await ask([]);
    service.clock.advance(1);
    const { value: most } = authorizationLimits.interactions;
    await fillInteractions(service, { count: most, caller: 'many' });
    service.clock.advance(1);
    const newer = await ask([]);
    const { database, clock } = service;
    startWorker(createRequestPruner({ database, clock, removeClient: async () => {} }));
    await clock.whenAsleep();
    expect(await countRows(service, 'interactions')).toBe(most);
    expect((await older.poll()).body).toMatchObject({ error: 'expired_token' });
    expect((await newer.poll()).body).toMatchObject({ error: 'authorization_pending' });
  });

  test.each([
    { what: 'pushed requests', table: 'pushed_requests', limit: 'pushedRequests' },
    { what: 'codes of devices', table: 'device_codes', limit: 'deviceCodes' },
    { what: 'challenges of wallets', table: 'wallet_challenges', limit: 'walletChallenges' },
    { what: 'sign-ins begun', table: 'third_party_attempts', limit: 'signInAttempts' },
  ] as const)(
    'is a limited number of $what in total, of which the oldest are dropped [N5]',
    async ({ table, limit }) => {
      const service = await open();
      const { database, clock } = service;
      const { value: kept } = authorizationLimits[limit];
      const [columns, values] = filled[table];
      // Each row lasts a millisecond longer than the one before.
      const last = clock.now() + 60_000 + kept + 5;
      await database.run(
        sqlText(`
        WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${kept + 5})
        INSERT INTO ${table} (${columns}, expires_at)
        SELECT ${values}, ${last - kept - 5} + n FROM counted`),
      );
      const names = ['authorization-request-pruner', 'token-pruner', 'people-pruner'];
      const pruners = service.authorization.workers.filter(({ name }) => names.includes(name));
      for (const pruner of pruners) startWorker(pruner);
      await clock.whenAsleep(names.length);
      if (table === 'third_party_attempts') {
        await pruneSignInAttempts(database, { now: clock.now(), kept, limit: 500 });
      }
      const left = await database.first<{ n: number; first: number }>(
        sqlText(`SELECT COUNT(*) AS n, MIN(expires_at) AS first FROM ${table}`),
      );
      expect(left).toEqual({ n: kept, first: last - kept + 1 });
    },
  );

  test('is a limited number of proofs and assertions at a time, none forgotten before it expires [N5, A12]', async () => {
    const { database, clock } = await open();
    const spent = createSpendId({ database, clock, most: 2 });
    const spend = (id: string, until: number) => spent(id, until, 'caller');
    const until = clock.now() + 180_000;
    expect([await spend('a', until), await spend('a', until)]).toEqual([true, false]);
    expect(await spend('b', until)).toBe(true);
    clock.advance(60_000);
    for (const id of ['a', 'c']) {
      await expect(spend(id, until)).rejects.toMatchObject({
        code: 'temporarily_unavailable',
        message: expect.stringMatching(/^2 proofs and assertions were used here/),
      });
    }
    await database.run(sql`DELETE FROM spent_ids WHERE id = 'b'`);
    clock.advance(60_000);
    expect(await spend('c', until)).toBe(true);
  });

  test('is a share of the remembered proofs for each caller, beyond which others still have theirs [F43, N23, A12]', async () => {
    const { database, clock } = await open();
    const spend = createSpendId({ database, clock, most: 1_000, mostOfCaller: 20 });
    const until = clock.now() + 180_000;
    const outcomes: unknown[] = [];
    for (let id = 0; id < 30; id += 1) {
      const outcome = await spend(`greedy ${id}`, until, 'greedy').catch(({ code }) => code);
      outcomes.push(outcome);
    }
    expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(20);
    expect(outcomes.at(-1)).toBe('temporarily_unavailable');
    expect(await spend('of somebody else', until, 'other')).toBe(true);
    // What was spent stays spent, for whomever it is presented.
    expect(await spend('greedy 0', until, 'other')).toBe(false);
    clock.advance(60_000);
    expect(await spend('greedy 29', until, 'greedy')).toBe(true);
  });

  test('counts what was spent since the last count towards the bound of all [F43, N23, N5]', async () => {
    const { database, clock } = await open();
    const spend = createSpendId({ database, clock, most: 3 });
    const until = clock.now() + 180_000;
    for (const id of ['a', 'b', 'c']) expect(await spend(id, until, id)).toBe(true);
    await expect(spend('d', until, 'd')).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  });

  test('is a limited number of wallet accounts, and existing ones can still sign in [N5]', async () => {
    const service = await open();
    const [known, stranger] = [newWallet('42'), newWallet('43')];
    expect((await signInByWallet(service, known)).status).toBe(303);
    const { value: most } = authorizationLimits.walletAccounts;
    await service.database.run(sql`
      WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${most - 1})
      INSERT INTO account_identities (issuer, subject, account_id)
      SELECT 'eip155', 'filled ' || n, 'filled ' || n FROM counted`);
    service.clock.advance(60_000);
    const refused = await signInByWallet(service, stranger);
    expect(refused.status).toBe(403);
    expect(refused.text).toMatch(/role="alert">[^<]*100000 wallets have an account here/);
    expect((await signInByWallet(service, known)).status).toBe(303);
    await service.database.run(sql`DELETE FROM account_identities WHERE subject = 'filled 1'`);
    service.clock.advance(60_000);
    expect((await signInByWallet(service, stranger)).status).toBe(303);
  });

  test('is a limited number of signed-in browsers, and expired ones are forgotten [N5]', async () => {
    const { database, clock, authorization } = await open();
    const { value: most } = authorizationLimits.sessions;
    const fill = (name: string, count: number, at: number) =>
      database.run(sql`
        WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
        INSERT INTO browser_sessions (cookie_hash, session_id, account_id, signed_in_at, last_used_at)
        SELECT CAST(${name} AS TEXT) || n, CAST(${name} AS TEXT) || n, 'a', CAST(${at} AS BIGINT),
          CAST(${at} AS BIGINT) FROM counted`);
    await fill('over', 1_200, clock.now() - 7 * 24 * 3_600_000);
    await fill('unused', 3, clock.now() - 2_000);
    await fill('used', most, clock.now() - 1_000);
    const count = async (name: string) =>
      (
        await database.first<{ n: number }>(
          sql`SELECT COUNT(*) AS n FROM browser_sessions WHERE cookie_hash LIKE ${`${name}%`}`,
        )
      )?.n;
    const pruner = authorization.workers.find(({ name }) => name === 'people-pruner');
    startWorker(pruner!);
    await clock.whenAsleep();
    expect([await count('over'), await count('unused'), await count('used')]).toEqual([0, 0, most]);
  });

  test('is a limited number of self-registered clients, used or not, while the operator can create more [N5]', async () => {
    const { database, clock } = await open();
    const registry = createClientRegistry({
      database,
      remembered: { forgetAfter: (_, changed) => changed },
      scopes: testScopes,
      grants: {
        revokeClient: (_, remove) => database.transaction(remove).then(() => {}),
        narrowClient: (_, __, change) => database.transaction(change),
      },
      clock,
      random: systemRandom,
      unusedLifetime: 1_000_000,
      mostRegistered: 2,
    });
    const metadata = { redirect_uris: ['http://localhost:3000/callback'] };
    const itself = { origin: 'registered', caller: '192.0.2.1' } as const;
    await registry.register(metadata, { origin: 'operator' });
    const { client } = await registry.register(metadata, itself);
    await registry.register(metadata, itself);
    await database.run(sql`UPDATE clients SET expires_at = NULL`);
    clock.advance(60_000);
    await expect(registry.register(metadata, itself)).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      message: expect.stringMatching(
        /^2 clients have registered themselves here, which is the limit/,
      ),
    });
    await registry.register(metadata, { origin: 'operator' });
    await registry.remove(client.clientId);
    clock.advance(60_000);
    await registry.register(metadata, itself);
  });
});

/** The columns and values of numbered rows, besides the time at which they expire. */
const filled = {
  pushed_requests: ['id_hash, client_id, parameters', "'filled ' || n, '', ''"],
  device_codes: ['hash, client_id, is_denied, interval_seconds', "'filled ' || n, '', 0, 5"],
  wallet_challenges: [
    'nonce_hash, cookie_hash, place_hash, address, message',
    "'filled ' || n, '', '', '', ''",
  ],
  third_party_attempts: ['state_hash, cookie_hash, sealed', "'filled ' || n, '', ''"],
} as const;

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** A client whose devices ask for a code, each with its own resources, by default from one address. */
async function openDevices(service: TestAuthorization) {
  const { client_id = '' } = await service.register({ grant_types: [deviceGrant] });
  return async (more: readonly (readonly [string, string])[], remoteAddress = '192.0.2.1') => {
    const body = new URLSearchParams([['client_id', client_id], ...more.map(([...pair]) => pair)]);
    const answer = await service.request(
      '/device_authorization',
      { method: 'POST', body },
      { remoteAddress, encrypted: false },
    );
    const told = (await answer.json()) as Record<string, string>;
    const { device_code } = told;
    const poll = () => service.post('/token', { grant_type: deviceGrant, client_id, device_code });
    return { status: answer.status, body: told, poll };
  };
}

/** Interactions that begin now and last for an hour. */
async function fillInteractions(
  { database, clock }: TestAuthorization,
  { count, caller }: { count: number; caller: string },
): Promise<void> {
  await database.run(sql`
    WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
    INSERT INTO interactions (id_hash, request, created_at, expires_at, caller)
    SELECT 'filled ' || n, '{}', CAST(${clock.now()} AS BIGINT),
      CAST(${clock.now() + authorizationLimits.interactionLife.value} AS BIGINT), CAST(${caller} AS TEXT)
    FROM counted`);
}

async function countRows({ database }: TestAuthorization, table: string): Promise<number> {
  const statement = sqlText(`SELECT COUNT(*) AS n FROM ${table}`);
  return (await database.first<{ n: number }>(statement))?.n ?? 0;
}

const newWallet = (byte: string) => privateKeyToAccount(`0x${byte.repeat(32)}`);

async function signInByWallet(service: TestAuthorization, wallet: PrivateKeyAccount) {
  const browser = createTestBrowser(service);
  return proveWallet(service, { browser, page: await browser.open('/account'), wallet });
}
