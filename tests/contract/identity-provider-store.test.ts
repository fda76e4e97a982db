import { describe, expect, it } from 'vitest';
import { authorizationLimits } from '../../src/authorization/limits.ts';
import type { AccountId } from '../../src/authorization/model/account.ts';
import type { ClientId } from '../../src/authorization/model/client.ts';
import type { GrantId } from '../../src/authorization/model/grant.ts';
import { insertGrant } from '../../src/authorization/store/grant-store.ts';
import {
  addProviderSession,
  addSignInAttempt,
  claimRenewal,
  findProviderSession,
  listIdleProviderSessions,
  releaseRenewal,
  removeOldestProviderSessions,
  removeProviderSession,
  saveProviderTokens,
  takeSignInAttempt,
  touchProviderSession,
} from '../../src/authorization/store/identity-provider-store.ts';
import { beginSession } from '../../src/authorization/store/session-store.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { sql } from '../../src/kernel/database/sql.ts';
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
    return database;
  }

  it('returns a sign-in attempt once, to the browser that began it [A3] [R8]', async () => {
    const database = await openStore();
    const attempt = { stateHash: 'state', cookieHash: 'cookie' };
    await addSignInAttempt(database, { ...attempt, sealed: 'sealed', expiresAt: 100 });
    expect(
      await takeSignInAttempt(database, { ...attempt, cookieHash: 'other', now: 1 }),
    ).toBeUndefined();
    expect(await takeSignInAttempt(database, { ...attempt, now: 100 })).toBeUndefined();
    const takes = await Promise.all(
      [1, 2, 3].map(() => takeSignInAttempt(database, { ...attempt, now: 1 })),
    );
    expect(takes.filter((taken) => taken !== undefined)).toEqual(['sealed']);
  });

  it('gives a session to one of several processes to renew, until it lets go or is dead [R8] [S14]', async () => {
    const database = await openStore();
    await addProviderSession(database, session);
    const claim = (now: number) => claimRenewal(database, 's1', { now, until: now + 50 });
    const claims = await Promise.all([1, 2, 3, 4].map(() => claim(10)));
    expect(claims.filter((one) => one !== undefined)).toEqual([{ ...session, renewingUntil: 60 }]);
    expect(await claim(59)).toBeUndefined();
    expect(await claim(60)).toBeDefined();
    await releaseRenewal(database, 's1');
    expect(await claim(61)).toBeDefined();
    const renewed = { sealed: 'new', expiresAt: undefined };
    expect(await saveProviderTokens(database, 's1', renewed)).toBe(true);
    expect(await findProviderSession(database, 's1')).toEqual({
      ...session,
      ...renewed,
      renewingUntil: 0,
    });
  });

  it('knows idle sessions, and forgets removed ones', async () => {
    const database = await openStore();
    await addProviderSession(database, session);
    await addProviderSession(database, { ...session, id: 's2' });
    await touchProviderSession(database, 's2', 200);
    expect(await listIdleProviderSessions(database, { before: 100, limit: 10 })).toEqual(['s1']);
    await removeProviderSession(database, 's1');
    expect(await findProviderSession(database, 's1')).toBeUndefined();
    expect(await saveProviderTokens(database, 's1', session)).toBe(false);
  });

  it('keeps so many sessions of an account, and those that a grant depends on [N5]', async () => {
    const database = await openStore();
    const { value: kept } = authorizationLimits.identityProviderSessionsOfAccount;
    const others = { ...session, id: 'others', accountId: 'a2' as AccountId, lastUsedAt: 0 };
    await addProviderSession(database, others);
    for (let n = 1; n <= kept + 3; n++) {
      await addProviderSession(database, { ...session, id: `s${n}`, lastUsedAt: n });
    }
    const grantOf = (id: string) => ({
      id: `grant of ${id}` as GrantId,
      accountId: session.accountId,
      clientId: 'c1' as ClientId,
      scope: [],
      resources: [],
      identityProviderSessionId: id,
      sessionId: undefined,
      createdAt: 0,
    });
    await insertGrant(database, grantOf('s1'), 1_001);
    await insertGrant(database, grantOf('s2'), 1_000);
    await touchProviderSession(database, 's3', 900);
    for (const id of ['s3', 's4']) {
      await beginSession(database, {
        cookieHash: `browser of ${id}`,
        accountId: session.accountId,
        identityProviderSessionId: id,
        at: 1,
        replaces: undefined,
      });
    }
    // As old as the oldest session, as the clock of another process may make it.
    const newest = { ...session, id: 'newest', lastUsedAt: 0 };
    await addProviderSession(database, newest);
    const remove = () => removeOldestProviderSessions(database, newest, 1_000);
    expect((await remove()).toSorted()).toEqual(['s2', 's4', 's5']);
    expect(await remove()).toEqual([]);
    for (const id of ['others', 's1', 's3', 'newest']) {
      expect(await findProviderSession(database, id)).toBeDefined();
    }
    const browsers = await database.all(sql`SELECT cookie_hash FROM browser_sessions`);
    expect(browsers).toEqual([{ cookie_hash: 'browser of s3' }]);
  });
});
