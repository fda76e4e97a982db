import { describe, expect, test } from 'vitest';
import { createClientRegistry } from '../../src/authorization/clients/client-registry.ts';
import { rememberClients } from '../../src/authorization/clients/clients.ts';
import { createGrants } from '../../src/authorization/grants/grants.ts';
import { createDeviceCodes } from '../../src/authorization/grants/redeem-device-code.ts';
import { openRevocations } from '../../src/authorization/keys/revocations.ts';
import type { AccountId } from '../../src/authorization/model/account.ts';
import type { Client, ClientId } from '../../src/authorization/model/client.ts';
import type { InteractionId } from '../../src/authorization/model/request.ts';
import {
  type Approval,
  createInteractions,
} from '../../src/authorization/requests/interactions.ts';
import { holdAccount } from '../../src/authorization/store/account-store.ts';
import {
  findStoredClient,
  insertClient,
  keepClient,
} from '../../src/authorization/store/client-store.ts';
import { insertPerson, removePerson } from '../../src/authorization/store/person-store.ts';
import {
  beginSession,
  deleteSession,
  findSessionByCookie,
} from '../../src/authorization/store/session-store.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { drawText, systemRandom } from '../../src/kernel/model/random.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { productMigrations } from '../support/product-migrations.ts';
import { migratedEngines } from '../support/test-engines.ts';
import { testScopes } from '../support/test-scopes.ts';

const issuer = 'https://tradewind.example.com';
const clientId = 'app' as ClientId;
const accountId = 'ada' as AccountId;
const caller = '192.0.2.1';
const approval: Approval = {
  accountId,
  scope: ['swap.read'],
  identityProviderSessionId: undefined,
};
const request = {
  clientId,
  scope: ['swap.read', 'subscriptions.read'],
  resources: [`${issuer}/mcp`],
  answer: {
    redirectUri: 'http://localhost:3000/callback?x=1',
    state: 'a b',
    codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  },
  mustSignIn: true,
  loginHint: 'ada',
} as const;

describe.each(migratedEngines)('requests that wait for people on $engine', ({ createStore }) => {
  test('are found by their id until they are decided', async () => {
    const { interactions, clock } = await open();
    const id = await interactions.begin(request, caller);
    expect(await interactions.find(id)).toMatchObject({
      id,
      client: { clientId },
      redirectUri: request.answer.redirectUri,
      scope: request.scope,
      resources: request.resources,
      createdAt: clock.now(),
      mustSignIn: true,
      loginHint: 'ada',
    });
    expect(await interactions.find('another')).toBeUndefined();
    await interactions.allow(id, approval);
    expect(await interactions.find(id)).toBeUndefined();
  });

  test('lead back to the client with a code, the state and the issuer [L6]', async () => {
    const { interactions, grants } = await open();
    const url = await interactions.allow(await interactions.begin(request, caller), approval);
    expect(url?.href.startsWith(`${request.answer.redirectUri}&code=`)).toBe(true);
    expect(url?.searchParams.get('state')).toBe('a b');
    expect(url?.searchParams.get('iss')).toBe(issuer);
    expect(await grants.list(accountId)).toMatchObject([
      { clientId, scope: ['swap.read'], resources: request.resources },
    ]);
  });

  test('lead back with the error, the state and the issuer when they are denied [L6]', async () => {
    const { interactions, grants } = await open();
    const id = await interactions.begin(request, caller);
    const url = await interactions.deny(id, 'access_denied', 'Not “today”');
    expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({
      x: '1',
      error: 'access_denied',
      error_description: 'Not ?today?',
      state: 'a b',
      iss: issuer,
    });
    expect(await grants.list(accountId)).toEqual([]);
    await expect(interactions.allow(id, approval)).rejects.toThrow(/is over/);
  });

  test('give no more than was asked for', async () => {
    const { interactions, grants } = await open();
    const id = await interactions.begin(request, caller);
    await interactions.allow(id, { ...approval, scope: ['swap.read', 'admin'] });
    expect(await grants.list(accountId)).toMatchObject([{ scope: ['swap.read'] }]);
  });

  test('are decided once, however many decide at the same time [R8]', async () => {
    const { interactions, grants } = await open();
    const id = await interactions.begin(request, caller);
    const decisions = Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0
        ? interactions.allow(id, approval)
        : interactions.deny(id, 'access_denied', 'No.'),
    );
    const outcomes = await Promise.allSettled(decisions);
    const counted = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(counted).toHaveLength(1);
    const isAllowed = outcomes.findIndex(({ status }) => status === 'fulfilled') % 2 === 0;
    expect(await grants.list(accountId)).toHaveLength(isAllowed ? 1 : 0);
  });

  test('give nothing to an account that was removed, and wait on', async () => {
    const { interactions, grants, removeAccount } = await open();
    const id = await interactions.begin(request, caller);
    await removeAccount();
    await expect(interactions.allow(id, approval)).rejects.toThrow(/account has been removed/);
    expect(await grants.list(accountId)).toEqual([]);
    expect(await interactions.find(id)).toBeDefined();
  });

  test('leave no grant when their account is removed at the same moment [R8]', async () => {
    const { interactions, grants, addAccount, removeAccount } = await open();
    for (let round = 0; round < 10; round++) {
      await addAccount();
      const id = await interactions.begin(request, caller);
      await Promise.allSettled([interactions.allow(id, approval), removeAccount()]);
      expect(await grants.list(accountId)).toEqual([]);
    }
  });

  test('give nothing to a session that has ended, and wait on [F48]', async () => {
    const { interactions, grants, beginSessionOf, endSession } = await open();
    const sessionId = await beginSessionOf(accountId);
    const id = await interactions.begin(request, caller);
    const asAnother = { ...approval, sessionId: await beginSessionOf('bob' as AccountId) };
    await expect(interactions.allow(id, asAnother)).rejects.toThrow(/no longer signed in/);
    await endSession(sessionId);
    const late = interactions.allow(id, { ...approval, sessionId });
    await expect(late).rejects.toThrow(/no longer signed in/);
    expect(await grants.list(accountId)).toEqual([]);
    expect(await interactions.find(id)).toBeDefined();
  });

  test('leave no grant when their session is ended at the same moment [F48, R8]', async () => {
    const { interactions, grants, beginSessionOf, endSession } = await open();
    for (let round = 0; round < 10; round++) {
      const sessionId = await beginSessionOf(accountId);
      const id = await interactions.begin(request, caller);
      const allowed = interactions.allow(id, { ...approval, sessionId });
      await Promise.allSettled([allowed, endSession(sessionId)]);
      expect(await grants.list(accountId)).toEqual([]);
    }
  });

  test('give nothing to a client that was removed', async () => {
    const { interactions, grants, removeClient } = await open();
    const id = await interactions.begin(request, caller);
    await removeClient();
    await expect(interactions.allow(id, approval)).rejects.toThrow(/has been removed/);
    expect(await grants.list(accountId)).toEqual([]);
  });

  test('leave no grant when their client is removed at the same moment [R8]', async () => {
    const { interactions, grants, addClient, removeClient } = await open();
    for (let round = 0; round < 10; round++) {
      const id = await interactions.begin(request, caller);
      await Promise.allSettled([interactions.allow(id, approval), removeClient()]);
      expect(await grants.list(accountId)).toEqual([]);
      await addClient();
    }
  });

  test('need no registration of a client that a document describes [L4]', async () => {
    const { interactions, grants } = await open();
    const described = { ...request, clientId: 'https://app.example.com/client.json' as ClientId };
    await interactions.allow(await interactions.begin(described, caller), approval);
    expect(await grants.list(accountId)).toMatchObject([{ clientId: described.clientId }]);
  });

  test('are over after an hour', async () => {
    const { interactions, clock } = await open();
    const id = await interactions.begin(request, caller);
    clock.advance(3_600_000);
    expect(await interactions.find(id)).toBeUndefined();
    await expect(interactions.allow(id, approval)).rejects.toThrow(/is over/);
  });

  test('are over when their client is gone', async () => {
    const { interactions } = await open({ client: undefined });
    expect(await interactions.find(await interactions.begin(request, caller))).toBeUndefined();
  });

  test('mark a self-registered client as used once somebody allows it something [R6]', async () => {
    const { interactions, findClient, clock } = await open();
    await interactions.allow(await interactions.begin(request, caller), approval);
    clock.advance(10_000);
    expect((await findClient(clientId, clock.now()))?.client.isUnused).toBe(false);
  });

  test('are stored under the hash of their id [R7]', async () => {
    const { interactions, database } = await open();
    const id = await interactions.begin(request, caller);
    const { userCode } = await interactions.beginDevice(request, caller);
    const dump = JSON.stringify(await database.all(sql`SELECT * FROM interactions`));
    expect(dump).not.toContain(id);
    expect(dump).not.toContain(userCode);
    expect(dump).not.toContain(userCode.replace('-', ''));
  });

  test('of a device are found by the code that its person types, and answered to the device', async () => {
    const { interactions, database } = await open();
    const { userCode, deviceCode, intervalSeconds } = await interactions.beginDevice(
      request,
      caller,
    );
    expect([deviceCode.length, intervalSeconds]).toEqual([43, 5]);
    const found = await interactions.findByUserCode(
      ` ${userCode.toLowerCase().replace('-', ' ')} `,
    );
    expect(found).toMatchObject({ client: { clientId }, redirectUri: undefined });
    expect(await interactions.findByUserCode('BBBB-BBBB')).toBeUndefined();
    expect(await interactions.find(userCode)).toBeUndefined();
    expect(await interactions.allow(found?.id as InteractionId, approval)).toBeUndefined();
    expect(await database.all(sql`SELECT is_denied, grant_id FROM device_codes`)).toEqual([
      { is_denied: 0, grant_id: expect.any(String) },
    ]);
    expect(await interactions.findByUserCode(userCode)).toBeUndefined();
  });

  test('of a device can be denied', async () => {
    const { interactions, database } = await open();
    const { userCode } = await interactions.beginDevice(request, caller);
    const found = await interactions.findByUserCode(userCode);
    expect(
      await interactions.deny(found?.id as InteractionId, 'access_denied', 'No.'),
    ).toBeUndefined();
    expect(await database.all(sql`SELECT is_denied, grant_id FROM device_codes`)).toEqual([
      { is_denied: 1, grant_id: null },
    ]);
  });

  async function open(options: { client?: Client | undefined } = { client }) {
    const clock = createFakeClock();
    const random = systemRandom;
    const database = await (await createStore()).open();
    await migrate(database, productMigrations);
    const revocations = await openRevocations({ database, clock });
    const grants = createGrants({ database, revocations, clock, random });
    const findClient = (id: string, now: number) =>
      findStoredClient(database, id, { now, scopes: testScopes });
    const remembered = rememberClients(findClient);
    const registry = createClientRegistry({
      database,
      remembered,
      scopes: testScopes,
      grants,
      clock,
      random,
      unusedLifetime: 1_000,
    });
    const addAccount = () =>
      insertPerson(database, {
        id: accountId,
        name: 'ada',
        role: 'member',
        passwordHash: '',
        at: 0,
      });
    await addAccount();
    const removeAccount = () =>
      grants.transaction(async (tx, revoke) => {
        if (await removePerson(tx, accountId)) await revoke({ accountId });
      });
    const beginSessionOf = async (of: AccountId) => {
      const session = { accountId: of, identityProviderSessionId: undefined, at: clock.now() };
      const cookieHash = drawText(random, 32);
      await beginSession(database, { ...session, cookieHash, replaces: undefined });
      const age = { signedInAfter: 0, usedAfter: 0 };
      return (await findSessionByCookie(database, cookieHash, age))?.id ?? of;
    };
    const endSession = (sessionId: string) =>
      grants.transaction(async (tx, revoke) => {
        await deleteSession(tx, sessionId);
        await revoke({ sessionId });
      });
    const addClient = () =>
      insertClient(database, {
        clientId,
        origin: 'registered',
        metadata: client,
        secretHash: undefined,
        registrationTokenHash: '',
        createdAt: clock.now(),
        caller: '127.0.0.1',
        expiresAt: clock.now() + 1_000,
      });
    await addClient();
    const removeClient = () => registry.remove(clientId);
    const interactions = createInteractions({
      issuer,
      database,
      masterKey: new Uint8Array(32),
      findClient: async () => options.client,
      keepClientIn: keepClient,
      holdAccount,
      scopes: testScopes,
      grants,
      deviceCodes: createDeviceCodes({ clock, random }),
      clock,
      random,
    });
    return {
      beginSessionOf,
      endSession,
      interactions,
      grants,
      findClient,
      addAccount,
      addClient,
      removeClient,
      removeAccount,
      database,
      clock,
    };
  }
});

const client: Client = {
  clientId,
  origin: 'registered',
  name: 'App',
  uri: undefined,
  redirectUris: [request.answer.redirectUri],
  grantTypes: ['authorization_code'],
  authentication: 'none',
  secretHash: undefined,
  jwks: undefined,
  jwksUri: undefined,
  scope: ['swap.read'],
  defaultScope: ['swap.read'],
  applicationType: 'web',
  requiresDpop: false,
  createdAt: 0,
};
