import { describe, expect, it } from 'vitest';
import type { AccountId } from '../../src/authorization/server/model/account.ts';
import { createIdentityProviderStore } from '../../src/authorization/server/store/identity-provider-store.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { productMigrations } from '../support/product-migrations.ts';
import { migratedEngines } from '../support/test-engines.ts';

const session = {
  id: 's1',
  accountId: 'a1' as AccountId,
  sealed: 'sealed',
  expiresAt: 500,
  lastUsedAt: 100,
};

describe.each(migratedEngines)('the identity-provider store on $engine', ({ createStore }) => {
  async function openStore() {
    const database = await (await createStore()).open();
    await migrate(database, productMigrations);
    return { database, store: createIdentityProviderStore(database) };
  }

  it('gives a begun sign-in once, to the browser that began it [A3] [R8]', async () => {
    const { store } = await openStore();
    const attempt = { stateHash: 'state', cookieHash: 'cookie' };
    await store.addAttempt({ ...attempt, sealed: 'sealed', expiresAt: 100 });
    expect(await store.takeAttempt({ ...attempt, cookieHash: 'other', now: 1 })).toBeUndefined();
    expect(await store.takeAttempt({ ...attempt, now: 100 })).toBeUndefined();
    const takes = await Promise.all([1, 2, 3].map(() => store.takeAttempt({ ...attempt, now: 1 })));
    expect(takes.filter((taken) => taken !== undefined)).toEqual(['sealed']);
  });

  it('gives a session to one of several processes to renew, until it lets go or is dead [R8] [S14]', async () => {
    const { database, store } = await openStore();
    await store.addSession(database, session);
    const claim = (now: number) => store.claimRenewal('s1', { now, until: now + 50 });
    const claims = await Promise.all([1, 2, 3, 4].map(() => claim(10)));
    expect(claims.filter((one) => one !== undefined)).toEqual([{ ...session, renewingUntil: 60 }]);
    expect(await claim(59)).toBeUndefined();
    expect(await claim(60)).toBeDefined();
    await store.releaseRenewal('s1');
    expect(await claim(61)).toBeDefined();
    const renewed = { sealed: 'new', expiresAt: undefined };
    expect(await store.saveTokens(database, 's1', renewed)).toBe(true);
    expect(await store.findSession('s1')).toEqual({ ...session, ...renewed, renewingUntil: 0 });
  });

  it('knows idle sessions, and forgets removed ones', async () => {
    const { database, store } = await openStore();
    await store.addSession(database, session);
    await store.addSession(database, { ...session, id: 's2' });
    await store.touchSession('s2', 200);
    expect(await store.listIdle(100)).toEqual(['s1']);
    await store.removeSession('s1');
    expect(await store.findSession('s1')).toBeUndefined();
    expect(await store.saveTokens(database, 's1', session)).toBe(false);
  });
});
