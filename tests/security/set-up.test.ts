import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import {
  createPasswords,
  type Passwords,
} from '../../src/authorization/people/accounts/passwords.ts';
import { ownerId, prepareOwner } from '../../src/authorization/people/accounts/prepare-owner.ts';
import { createBrowsers } from '../../src/authorization/people/browsers.ts';
import { createSetUpRoutes } from '../../src/authorization/people/pages/set-up.ts';
import { accountPlace } from '../../src/authorization/people/place.ts';
import { formKeyField, formKeyOf } from '../../src/authorization/people/posted-form.ts';
import { authorizationMigrations } from '../../src/authorization/store/migrations.ts';
import { setPassword } from '../../src/authorization/store/password-store.ts';
import { kernelMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import type { EdgeEnv } from '../../src/kernel/edge/mount.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { issuer } from '../support/open-test-authorization.ts';

const password = 'a long new password';
const cookie = 'c'.repeat(43);

/** The set-up page over real stores, with a count of all password hashes. */
async function openSetUp() {
  const database = await openDatabase({ dataDir: createDataDir() });
  onTestFinished(() => database.close());
  await migrate(database, [...kernelMigrations, ...authorizationMigrations]);
  const [clock, random, publicUrl] = [createFakeClock(), systemRandom, new URL(issuer)];
  const real = createPasswords();
  let hashes = 0;
  const passwords: Passwords = {
    ...real,
    hash(chosen) {
      hashes += 1;
      return real.hash(chosen);
    },
  };
  const prepared = { database, passwords, ownerPassword: undefined, publicUrl, clock };
  const prepare = () => prepareOwner({ ...prepared, random });
  const link = await prepare();
  const [idleTime, lifetime] = [60_000, 60_000];
  const sessionStatus = { isAlive: async () => false };
  const lasting = { sessionStatus, idleTime, lifetime };
  const browsers = createBrowsers({ publicUrl, database, clock, random, ...lasting });
  const app = new Hono<EdgeEnv>();
  app.onError((_, c) => c.text('refused', 403));
  app.route('/', createSetUpRoutes({ browsers, database, passwords, clock }));

  return {
    database,
    prepare,
    secret: new URL(String(link)).searchParams.get('secret') ?? '',
    hashes: () => hashes,
    async post(secret: string): Promise<number> {
      const key = formKeyOf(cookie, { form: 'set-up', place: accountPlace.id });
      const response = await app.request(issuer, {
        method: 'POST',
        headers: { Cookie: `tradewind-8787=${cookie}` },
        body: new URLSearchParams({ [formKeyField]: key, secret, password, repeated: password }),
      });
      return response.status;
    },
  };
}

test('the set-up page hashes nothing without the secret [F9]', async () => {
  const { post, secret, hashes } = await openSetUp();
  const guesses = Array.from({ length: 110 }, (_, count) => post(`guess ${count}`));
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([403]));
  expect(hashes()).toBe(0);
  expect(await post(secret)).toBe(303);
  expect(hashes()).toBe(1);
});

test('an owner whom another owner removed cannot return by a link, even if the name is in use again [R8]', async () => {
  const { database, post, secret, prepare } = await openSetUp();
  await database.run(sql`
    INSERT INTO accounts (account_id, name, username, role, created_at) VALUES ('ann', 'Ann', 'ann', 'owner', 0)`);
  await database.run(sql`DELETE FROM accounts WHERE account_id = ${ownerId}`);
  expect(await prepare()).toBeUndefined();
  await database.run(sql`
    INSERT INTO accounts (account_id, name, username, role, created_at) VALUES ('eve', 'Eve', 'owner', 'member', 0)`);
  expect(await prepare()).toBeUndefined();
  expect(await post(secret)).toBe(403);
  const hash = await database.first(
    sql`SELECT password_hash FROM accounts WHERE account_id = 'eve'`,
  );
  expect(hash).toEqual({ password_hash: null });
});

test('the set-up page hashes nothing once there is a password, not even for the secret [F9]', async () => {
  const { post, secret, hashes, database } = await openSetUp();
  await database.transaction((tx) =>
    setPassword(tx, { id: ownerId, passwordHash: 'of the settings' }),
  );
  expect(await post(secret)).toBe(403);
  expect(hashes()).toBe(0);
});
