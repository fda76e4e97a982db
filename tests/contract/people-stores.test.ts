import { describe, expect, it } from 'vitest';
import { authorizationLimits } from '../../src/authorization/limits.ts';
import type { AccountId } from '../../src/authorization/model/account.ts';
import {
  ensureAccount,
  ensureOwner,
  findAccountByUsername,
  renameAccount,
} from '../../src/authorization/store/account-store.ts';
import { removeProviderSession } from '../../src/authorization/store/identity-provider-store.ts';
import { firstKey } from '../../src/authorization/store/page.ts';
import {
  addSetUpSecret,
  hasSetUpSecret,
  setPassword,
  setUpOwner,
} from '../../src/authorization/store/password-store.ts';
import {
  insertPerson,
  listPeople,
  removePerson,
} from '../../src/authorization/store/person-store.ts';
import {
  beginSession,
  endSession,
  findSessionByCookie,
  pruneOldestSessions,
  pruneSessions,
  touchSession,
} from '../../src/authorization/store/session-store.ts';
import {
  addWalletChallenge,
  takeWalletChallenge,
} from '../../src/authorization/store/wallet-store.ts';
import type { Database, Queries, Transaction } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { productMigrations } from '../support/product-migrations.ts';
import { migratedEngines } from '../support/test-engines.ts';

const id = (text: string) => text as AccountId;
const role = 'member' as const;
const ada = { id: id('a1'), name: 'ada', role, passwordHash: '$argon2id$…', at: 1_000 };
/** Sessions `{account} 1`, `{account} 2` …, each used later than the one before. */
async function fillSessions(
  database: Database,
  { accountId, count }: { readonly accountId: string; readonly count: number },
): Promise<void> {
  await database.run(sql`
    WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
    INSERT INTO browser_sessions (cookie_hash, session_id, account_id, signed_in_at, last_used_at)
    SELECT CAST(${accountId} AS TEXT) || ' ' || n, CAST(${accountId} AS TEXT) || ' ' || n, CAST(${accountId} AS TEXT), n, n
    FROM counted`);
}

const everyone = { after: firstKey, limit: 100, now: 0, signedInAfter: 0, usedAfter: 0 };

describe.each(migratedEngines)('the stores of people on $engine', ({ createStore }) => {
  async function openStores() {
    const database = await (await createStore()).open();
    await migrate(database, productMigrations);
    return {
      database,
      add: (account: typeof ada) => insertPerson(database, account),
      list: () => listPeople(database, everyone),
      remove: (each: string) => database.transaction((tx) => removePerson(tx, id(each))),
    };
  }

  it('makes the owner once, and not again where somebody else is owner', async () => {
    const { database, add, list, remove } = await openStores();
    await Promise.all([1, 2, 3].map((at) => ensureOwner(database, id('owner'), at)));
    const owner = { id: 'owner', name: 'owner', role: 'owner' };
    expect(await list()).toEqual([expect.objectContaining({ ...owner, isInvited: true })]);
    expect(await findAccountByUsername(database, 'owner')).toEqual({
      ...owner,
      passwordHash: undefined,
    });
    await add({ ...ada, role: 'owner' as 'member' });
    expect(await remove('owner')).toBe(true);
    await ensureOwner(database, id('owner'), 4);
    expect(await list()).toHaveLength(1);
  });

  it('takes a name once', async () => {
    const { add } = await openStores();
    const taken = await Promise.all(
      ['a1', 'a2', 'a3'].map((each) => add({ ...ada, id: id(each) })),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('finds one account for an identity, however many sign in for the first time at once', async () => {
    const { database, list } = await openStores();
    const identity = { issuer: 'https://login.example', subject: 'ada@1' };
    const made = await Promise.all(
      ['x1', 'x2', 'x3', 'x4'].map((each) =>
        ensureAccount(database, { ...identity, id: id(each), name: 'Ada', at: 1 }),
      ),
    );
    expect(new Set(made.map((account) => account.id)).size).toBe(1);
    expect(await list()).toHaveLength(1);
    const [{ id: made1 } = ada] = made;
    await renameAccount(database, { id: made1, name: 'Ada L' });
    const again = await ensureAccount(database, { ...identity, id: id('x5'), name: '', at: 2 });
    expect(again).toEqual({ id: made1, name: 'Ada L', role });
  });

  it('forgets a removed account with its identities and sessions', async () => {
    const { database, list, remove } = await openStores();
    const identity = { issuer: 'eip155', subject: '0xabc' };
    const account = await ensureAccount(database, {
      ...identity,
      id: id('w1'),
      name: '0xab…',
      at: 1,
    });
    await beginSession(database, {
      cookieHash: 'c1',
      accountId: account.id,
      identityProviderSessionId: undefined,
      at: 5,
      replaces: undefined,
    });
    expect(await remove(account.id)).toBe(true);
    expect(await list()).toEqual([]);
    const again = await ensureAccount(database, {
      ...identity,
      id: id('w2'),
      name: '0xab…',
      at: 2,
    });
    expect(again.id).toBe('w2');
    expect(
      await findSessionByCookie(database, 'c1', { signedInAfter: 0, usedAfter: 0 }),
    ).toBeUndefined();
  });

  it('lets one of several holders of set-up secrets choose the first password [R8]', async () => {
    const { database } = await openStores();
    await ensureOwner(database, id('owner'), 0);
    await addSetUpSecret(database, 's1', 1_000);
    await addSetUpSecret(database, 's2', 1_000);
    const owner = id('owner');
    const isGood = (secretHash: string, now: number) =>
      hasSetUpSecret(database, { id: owner, secretHash, now });
    expect(await isGood('s1', 999)).toBe(true);
    expect(await isGood('s1', 1_000)).toBe(false);
    const tries = ['s1', 's1', 's2', 's2'].map((secretHash, index) =>
      setUpOwner(database, { id: owner, secretHash, passwordHash: `hash ${index}`, now: 10 }),
    );
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    expect(await isGood('s2', 10)).toBe(false);
    const again = { id: owner, secretHash: 's2', passwordHash: 'another', now: 10 };
    expect(await setUpOwner(database, again)).toBe(false);
  });

  it('keeps a session until it is idle, old, replaced or ended', async () => {
    const { add, database } = await openStores();
    await add(ada);
    const begin = { accountId: ada.id, identityProviderSessionId: 't1', replaces: undefined };
    await beginSession(database, { ...begin, cookieHash: 'c1', at: 100 });
    const always = { signedInAfter: 0, usedAfter: 0 };
    expect(await findSessionByCookie(database, 'c1', always)).toEqual({
      id: 'sc1',
      account: { id: 'a1', name: 'ada', role },
      identityProviderSessionId: 't1',
      signedInAt: 100,
      lastUsedAt: 100,
    });
    expect(
      await findSessionByCookie(database, 'c1', { signedInAfter: 100, usedAfter: 0 }),
    ).toBeUndefined();
    expect(
      await findSessionByCookie(database, 'c1', { signedInAfter: 0, usedAfter: 100 }),
    ).toBeUndefined();
    await touchSession(database, 'c1', 150);
    expect(
      await findSessionByCookie(database, 'c1', { signedInAfter: 0, usedAfter: 100 }),
    ).toBeDefined();
    await beginSession(database, { ...begin, cookieHash: 'c2', at: 200, replaces: 'c1' });
    expect(await findSessionByCookie(database, 'c1', always)).toBeUndefined();
    await endSession(database, 'c2');
    expect(await findSessionByCookie(database, 'c2', always)).toBeUndefined();
    await beginSession(database, { ...begin, cookieHash: 'c3', at: 300 });
    await beginSession(database, { ...begin, cookieHash: 'c4', at: 400 });
    const step = { limit: 10, signedInAfter: 0, usedAfter: 0 };
    expect(await pruneSessions(database, { ...step, signedInAfter: 300 })).toBe(1);
    expect(await findSessionByCookie(database, 'c3', always)).toBeUndefined();
    expect(await pruneSessions(database, { ...step, usedAfter: 399 })).toBe(0);
    expect(await pruneSessions(database, { ...step, usedAfter: 400 })).toBe(1);
    expect(await findSessionByCookie(database, 'c4', always)).toBeUndefined();
  });

  it('keeps so many sessions of an account, and ends those unused for longest [N5]', async () => {
    const { add, database } = await openStores();
    const { value: kept } = authorizationLimits.sessionsOfAccount;
    await add(ada);
    await fillSessions(database, { accountId: 'ben', count: kept });
    await fillSessions(database, { accountId: ada.id, count: kept });
    await touchSession(database, `${ada.id} 1`, 5_000);
    const left = async () =>
      (
        await database.all<{ cookie_hash: string }>(sql`
          SELECT cookie_hash FROM browser_sessions ORDER BY last_used_at, cookie_hash`)
      ).map((row) => row.cookie_hash);
    const before = await left();
    const begin = { accountId: ada.id, identityProviderSessionId: undefined, replaces: undefined };
    // As old as the oldest session, as the clock of another process may make it.
    for (const n of [1, 2])
      await beginSession(database, { ...begin, cookieHash: `new ${n}`, at: n });
    expect((await left()).toSorted()).toEqual(
      [...before.filter((each) => each !== 'a1 2'), 'new 2'].toSorted(),
    );
    expect(before).toHaveLength(2 * kept);
  });

  it('ends the sessions of a server that were unused for longest beyond a number [N5]', async () => {
    const { database } = await openStores();
    await fillSessions(database, { accountId: 'ben', count: 5 });
    const prune = (limit: number) => pruneOldestSessions(database, { kept: 2, limit });
    expect([await prune(2), await prune(2), await prune(2)]).toEqual([2, 1, 0]);
    const left = await database.all(sql`SELECT cookie_hash FROM browser_sessions`);
    expect(left.map((row) => row.cookie_hash).toSorted()).toEqual(['ben 4', 'ben 5']);
  });

  it.each([
    ['a person is removed', (tx: Transaction) => removePerson(tx, ada.id)],
    [
      'a password is set',
      (tx: Transaction) => setPassword(tx, { id: ada.id, passwordHash: 'another' }),
    ],
  ])(
    'ends at most 500 sessions in a statement when %s, however many there are [N1]',
    async (_, end) => {
      const { add, database } = await openStores();
      await add(ada);
      await fillSessions(database, { accountId: ada.id, count: 1_200 });
      const removed: number[] = [];
      await database.transaction((tx) =>
        end({
          ...tx,
          async run(statement) {
            const rows = await tx.run(statement);
            removed.push(rows);
            return rows;
          },
        }),
      );
      expect(Math.max(...removed)).toBe(500);
      expect(await database.all(sql`SELECT cookie_hash FROM browser_sessions`)).toEqual([]);
    },
  );

  it("gives a wallet's challenge once, to the browser and page it was made for [R8]", async () => {
    const { database } = await openStores();
    const challenge = { nonceHash: 'n', cookieHash: 'c', placeHash: 'p' };
    const made = { address: '0x1', message: 'sign this' };
    await addWalletChallenge(database, { ...challenge, ...made, expiresAt: 100 });
    expect(
      await takeWalletChallenge(database, { ...challenge, cookieHash: 'other', now: 1 }),
    ).toBeUndefined();
    expect(
      await takeWalletChallenge(database, { ...challenge, placeHash: 'other', now: 1 }),
    ).toBeUndefined();
    expect(await takeWalletChallenge(database, { ...challenge, now: 100 })).toBeUndefined();
    const taken = await Promise.all(
      [1, 2, 3].map(() => takeWalletChallenge(database, { ...challenge, now: 1 })),
    );
    expect(taken.filter((one) => one !== undefined)).toEqual([made]);
  });
});

it('finds the sessions that end by an index, however many there are [N1]', async () => {
  const [{ createStore }] = migratedEngines;
  const database = await (await createStore()).open();
  await migrate(database, productMigrations);
  const plans: string[] = [];
  const explained: Queries = {
    ...database,
    async run(statement) {
      const steps = await database.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${statement}`);
      plans.push(...steps.map(({ detail }) => detail));
      return 1;
    },
  };
  await pruneSessions(explained, { limit: 500, signedInAfter: 1, usedAfter: 1 });
  await pruneOldestSessions(explained, { limit: 500, kept: 100_000 });
  await removePerson(explained, ada.id);
  await removeProviderSession(
    { ...explained, transaction: (work) => work({ ...explained, notify() {} }) },
    't1',
  );
  const steps = plans.filter((step) =>
    /(?:SCAN|SEARCH) (?:browser|third_party)_sessions/.test(step),
  );
  expect(steps.length).toBeGreaterThanOrEqual(8);
  for (const step of steps) expect(step).toMatch(/USING (?:COVERING )?INDEX/);
});
