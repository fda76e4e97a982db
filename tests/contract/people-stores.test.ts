import { describe, expect, it } from 'vitest';
import type { AccountId } from '../../src/authorization/server/model/account.ts';
import {
  ensureAccount,
  ensureOwner,
  findAccountByUsername,
} from '../../src/authorization/server/store/account-store.ts';
import { firstKey } from '../../src/authorization/server/store/page-key.ts';
import {
  addSetUpSecret,
  hasSetUpSecret,
  setUpOwner,
} from '../../src/authorization/server/store/password-store.ts';
import {
  insertPerson,
  listPeople,
  removePerson,
} from '../../src/authorization/server/store/person-store.ts';
import {
  beginSession,
  endSession,
  findSessionByCookie,
  pruneSessions,
  touchSession,
} from '../../src/authorization/server/store/session-store.ts';
import {
  addWalletChallenge,
  takeWalletChallenge,
} from '../../src/authorization/server/store/wallet-store.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { productMigrations } from '../support/product-migrations.ts';
import { migratedEngines } from '../support/test-engines.ts';

const id = (text: string) => text as AccountId;
const role = 'member' as const;
const ada = { id: id('a1'), name: 'ada', role, passwordHash: '$argon2id$…', at: 1_000 };
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
    const renamed = await ensureAccount(database, {
      ...identity,
      id: id('x5'),
      name: 'Ada L',
      at: 2,
    });
    expect(renamed).toEqual({ id: made[0]?.id, name: 'Ada L', role });
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
    expect(await hasSetUpSecret(database, 's1', 999)).toBe(true);
    expect(await hasSetUpSecret(database, 's1', 1_000)).toBe(false);
    const tries = ['s1', 's1', 's2', 's2'].map((secretHash, index) =>
      setUpOwner(database, { secretHash, passwordHash: `hash ${index}`, now: 10 }),
    );
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    expect(await hasSetUpSecret(database, 's2', 10)).toBe(false);
    const again = { secretHash: 's2', passwordHash: 'another', now: 10 };
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
    await pruneSessions(database, { signedInAfter: 300, usedAfter: 0 });
    expect(await findSessionByCookie(database, 'c3', always)).toBeUndefined();
  });

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
