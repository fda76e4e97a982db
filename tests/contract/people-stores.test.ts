import { describe, expect, it } from 'vitest';
import type { AccountId } from '../../src/authorization/server/model/account.ts';
import { createAccountStore } from '../../src/authorization/server/store/account-store.ts';
import { firstKey } from '../../src/authorization/server/store/page-key.ts';
import {
  insertPerson,
  listPeople,
  removePerson,
} from '../../src/authorization/server/store/person-store.ts';
import { createSessionStore } from '../../src/authorization/server/store/session-store.ts';
import { createWalletStore } from '../../src/authorization/server/store/wallet-store.ts';
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
    const accounts = createAccountStore(database);
    return {
      accounts,
      add: (account: typeof ada) => insertPerson(database, account),
      list: () => listPeople(database, everyone),
      remove: (each: string) => database.transaction((tx) => removePerson(tx, id(each))),
      sessions: createSessionStore(database),
      wallets: createWalletStore(database),
    };
  }

  it('makes the owner once, and not again where somebody else is owner', async () => {
    const { accounts, add, list, remove } = await openStores();
    await Promise.all([1, 2, 3].map((at) => accounts.ensureOwner(id('owner'), at)));
    const owner = { id: 'owner', name: 'owner', role: 'owner' };
    expect(await list()).toEqual([expect.objectContaining({ ...owner, isInvited: true })]);
    expect(await accounts.findByUsername('owner')).toEqual({ ...owner, passwordHash: undefined });
    await add({ ...ada, role: 'owner' as 'member' });
    expect(await remove('owner')).toBe(true);
    await accounts.ensureOwner(id('owner'), 4);
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
    const { accounts, list } = await openStores();
    const identity = { issuer: 'https://login.example', subject: 'ada@1' };
    const made = await Promise.all(
      ['x1', 'x2', 'x3', 'x4'].map((each) =>
        accounts.ensure({ ...identity, id: id(each), name: 'Ada', at: 1 }),
      ),
    );
    expect(new Set(made.map((account) => account.id)).size).toBe(1);
    expect(await list()).toHaveLength(1);
    const renamed = await accounts.ensure({ ...identity, id: id('x5'), name: 'Ada L', at: 2 });
    expect(renamed).toEqual({ id: made[0]?.id, name: 'Ada L', role });
  });

  it('forgets a removed account with its identities and sessions', async () => {
    const { accounts, sessions, list, remove } = await openStores();
    const identity = { issuer: 'eip155', subject: '0xabc' };
    const account = await accounts.ensure({ ...identity, id: id('w1'), name: '0xab…', at: 1 });
    await sessions.begin({
      cookieHash: 'c1',
      accountId: account.id,
      identityProviderSessionId: undefined,
      at: 5,
      replaces: undefined,
    });
    expect(await remove(account.id)).toBe(true);
    expect(await list()).toEqual([]);
    const again = await accounts.ensure({ ...identity, id: id('w2'), name: '0xab…', at: 2 });
    expect(again.id).toBe('w2');
    expect(await sessions.find('c1', { signedInAfter: 0, usedAfter: 0 })).toBeUndefined();
  });

  it('lets one of several holders of set-up secrets choose the first password [R8]', async () => {
    const { accounts } = await openStores();
    await accounts.ensureOwner(id('owner'), 0);
    await accounts.addSetUpSecret('s1', 1_000);
    await accounts.addSetUpSecret('s2', 1_000);
    expect(await accounts.hasSetUpSecret('s1', 999)).toBe(true);
    expect(await accounts.hasSetUpSecret('s1', 1_000)).toBe(false);
    const tries = ['s1', 's1', 's2', 's2'].map((secretHash, index) =>
      accounts.setUpOwner({ secretHash, passwordHash: `hash ${index}`, now: 10 }),
    );
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    expect(await accounts.hasSetUpSecret('s2', 10)).toBe(false);
    const again = { secretHash: 's2', passwordHash: 'another', now: 10 };
    expect(await accounts.setUpOwner(again)).toBe(false);
  });

  it('keeps a session until it is idle, old, replaced or ended', async () => {
    const { add, sessions } = await openStores();
    await add(ada);
    const begin = { accountId: ada.id, identityProviderSessionId: 't1', replaces: undefined };
    await sessions.begin({ ...begin, cookieHash: 'c1', at: 100 });
    const always = { signedInAfter: 0, usedAfter: 0 };
    expect(await sessions.find('c1', always)).toEqual({
      id: 'sc1',
      account: { id: 'a1', name: 'ada', role },
      identityProviderSessionId: 't1',
      signedInAt: 100,
      lastUsedAt: 100,
    });
    expect(await sessions.find('c1', { signedInAfter: 100, usedAfter: 0 })).toBeUndefined();
    expect(await sessions.find('c1', { signedInAfter: 0, usedAfter: 100 })).toBeUndefined();
    await sessions.touch('c1', 150);
    expect(await sessions.find('c1', { signedInAfter: 0, usedAfter: 100 })).toBeDefined();
    await sessions.begin({ ...begin, cookieHash: 'c2', at: 200, replaces: 'c1' });
    expect(await sessions.find('c1', always)).toBeUndefined();
    await sessions.end('c2');
    expect(await sessions.find('c2', always)).toBeUndefined();
    await sessions.begin({ ...begin, cookieHash: 'c3', at: 300 });
    await sessions.prune({ signedInAfter: 300, usedAfter: 0 });
    expect(await sessions.find('c3', always)).toBeUndefined();
  });

  it("gives a wallet's challenge once, to the browser and page it was made for [R8]", async () => {
    const { wallets } = await openStores();
    const challenge = { nonceHash: 'n', cookieHash: 'c', placeHash: 'p' };
    const made = { address: '0x1', message: 'sign this' };
    await wallets.add({ ...challenge, ...made, expiresAt: 100 });
    expect(await wallets.take({ ...challenge, cookieHash: 'other', now: 1 })).toBeUndefined();
    expect(await wallets.take({ ...challenge, placeHash: 'other', now: 1 })).toBeUndefined();
    expect(await wallets.take({ ...challenge, now: 100 })).toBeUndefined();
    const taken = await Promise.all([1, 2, 3].map(() => wallets.take({ ...challenge, now: 1 })));
    expect(taken.filter((one) => one !== undefined)).toEqual([made]);
  });
});
