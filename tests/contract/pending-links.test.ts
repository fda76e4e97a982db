import { describe, expect, test } from 'vitest';
import { createGrants } from '../../src/authorization/grants/grants.ts';
import { openRevocations } from '../../src/authorization/keys/revocations.ts';
import type { AccountId } from '../../src/authorization/model/account.ts';
import { createAdmission } from '../../src/authorization/people/accounts/admission.ts';
import { listIdentities } from '../../src/authorization/store/account-store.ts';
import { insertPerson } from '../../src/authorization/store/person-store.ts';
import {
  beginSession,
  deleteSession,
  findSessionByCookie,
} from '../../src/authorization/store/session-store.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { productMigrations } from '../support/product-migrations.ts';
import { migratedEngines } from '../support/test-engines.ts';

const id = (text: string) => text as AccountId;
const eve = { issuer: 'https://login.example', subject: 'eve' };

describe.each(migratedEngines)('what a person links on $engine', ({ createStore }) => {
  async function open() {
    const database = await (await createStore()).open();
    await migrate(database, productMigrations);
    const clock = createFakeClock();
    const revocations = await openRevocations({ database, clock });
    const admission = createAdmission({
      database,
      signUp: 'invited',
      grants: createGrants({ database, revocations, clock, random: systemRandom }),
      clock,
      random: systemRandom,
    });
    const begin = async (accountId: AccountId) => {
      const cookieHash = `cookie of ${accountId}`.padEnd(32);
      const session = { cookieHash, accountId, identityProviderSessionId: undefined, at: 1 };
      await beginSession(database, { ...session, replaces: undefined });
      const age = { signedInAfter: 0, usedAfter: 0 };
      return (await findSessionByCookie(database, cookieHash, age))?.id ?? '';
    };
    for (const name of ['ada', 'bob']) {
      const person = { id: id(name), name, role: 'member', passwordHash: 'hash', at: 1 } as const;
      await insertPerson(database, person);
    }
    return { database, admission, sessionId: await begin(id('ada')) };
  }

  test('is linked and unlinked in their session [F48]', async () => {
    const { database, admission, sessionId } = await open();
    const claim = { accountId: id('ada'), sessionId };
    await admission.accountOf({ ...eve, name: 'Eve' }, claim);
    expect(await listIdentities(database, id('ada'))).toEqual([eve]);
    await admission.unlink(eve, claim);
    expect(await listIdentities(database, id('ada'))).toEqual([]);
  });

  test('stays as it is once the session has ended, and in the session of somebody else [F48]', async () => {
    const { database, admission, sessionId } = await open();
    const identity = { ...eve, name: 'Eve' };
    const claim = { accountId: id('ada'), sessionId };
    const asBob = { accountId: id('bob'), sessionId };
    await expect(admission.accountOf(identity, asBob)).rejects.toThrow(/nothing was linked/);
    await admission.accountOf(identity, claim);
    await deleteSession(database, sessionId);
    const other = { ...identity, subject: 'other' };
    await expect(admission.accountOf(other, claim)).rejects.toThrow(/nothing was linked/);
    await expect(admission.unlink(eve, claim)).rejects.toThrow(/nothing was unlinked/);
    expect(await listIdentities(database, id('ada'))).toEqual([eve]);
    expect(await listIdentities(database, id('bob'))).toEqual([]);
  });
});
