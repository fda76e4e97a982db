import { expect, onTestFinished, test } from 'vitest';
import type { ClientId } from '../../src/authorization/model/client.ts';
import { insertClient, listClients } from '../../src/authorization/store/client-store.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { openTokenWorld, testClient } from '../support/open-token-world.ts';
import { productMigrations } from '../support/product-migrations.ts';
import { testScopes } from '../support/test-scopes.ts';

test('a client that acts for itself shows its last use, and issuing a token writes nothing', async () => {
  const clock = createFakeClock();
  const opened = await openDatabase({ dataDir: createDataDir() });
  onTestFinished(() => opened.close());
  await migrate(opened, productMigrations);
  await insertMachine(opened, clock.now());
  const { database, writes } = countWrites(opened);
  const world = await openTokenWorld({ database, clock });
  const stop = new AbortController();
  const running = world.tokens.workers.find(({ name }) => name === 'client-uses')!.run(stop.signal);

  const before = writes.length;
  for (let count = 0; count < 50; count++) await world.actForItself();
  expect(writes.slice(before)).toEqual([]);
  expect(await lastUse(database, clock.now())).toBeUndefined();

  const usedAt = clock.now();
  clock.advance(60_000);
  await clock.whenAsleep();
  expect(await lastUse(database, clock.now())).toBe(usedAt);
  expect(writes.slice(before)).toEqual(['relaxed transaction']);

  clock.advance(10_000);
  await world.actForItself();
  stop.abort();
  await running;
  expect(await lastUse(database, clock.now())).toBe(usedAt + 70_000);
});

function insertMachine(database: Database, now: number): Promise<void> {
  const { redirectUris, grantTypes } = testClient('machine');
  return insertClient(database, {
    clientId: 'machine' as ClientId,
    origin: 'registered',
    metadata: { redirectUris, grantTypes } as never, // the code under test reads nothing else
    secretHash: undefined,
    registrationTokenHash: '',
    createdAt: now,
    caller: undefined,
    expiresAt: undefined,
  });
}

async function lastUse(database: Database, now: number): Promise<number | undefined> {
  const page = { after: '', limit: 10, now, scopes: testScopes };
  return (await listClients(database, page)).find(({ clientId }) => clientId === 'machine')
    ?.lastUsedAt;
}

/** The same database, which records the statements that write. */
function countWrites(database: Database): { database: Database; writes: string[] } {
  const writes: string[] = [];
  const counted: Database = {
    ...database,
    run: (statement) => {
      writes.push('statement');
      return database.run(statement);
    },
    transaction: (work, options) => {
      writes.push('transaction');
      return database.transaction(work, options);
    },
    relaxed: {
      ...database.relaxed,
      transaction: (work, options) => {
        writes.push('relaxed transaction');
        return database.relaxed.transaction(work, options);
      },
    },
  };
  return { database: counted, writes };
}
