import { expect, inject, onTestFinished, test } from 'vitest';
import type { Database, Queries } from '../../src/kernel/database/database.ts';
import { openPostgres } from '../../src/kernel/database/postgres/open-postgres.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { createPostgresDatabase } from '../support/create-postgres-database.ts';

test('a server that does not answer is refused without showing the password', async () => {
  const opening = openPostgres({ url: 'postgres://me:secret-word@127.0.0.1:1/none' });
  await expect(opening).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.not.stringContaining('secret-word'),
  });
});

test('a connection lost inside a transaction fails it, leaves nothing and is replaced [H17]', async () => {
  const database = await openTable();
  const whileIdle = database.transaction(async (tx) => {
    await tx.run(sql`INSERT INTO counters VALUES ('half', 1)`);
    await terminate(await readBackend(tx));
    await tx.run(sql`INSERT INTO counters VALUES ('other half', 1)`);
  });
  await expect(whileIdle).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const whileAsking = database.transaction(async (tx) => {
    await tx.run(sql`INSERT INTO counters VALUES ('half', 1)`);
    const backend = await readBackend(tx);
    await Promise.all([tx.first(sql`SELECT pg_sleep(60)`), terminate(backend)]);
  });
  await expect(whileAsking).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await database.all(sql`SELECT name FROM counters`)).toEqual([]);
});

test('an exhausted connection pool is reported as such, not as an unreachable server [D7]', async () => {
  const url = await createPostgresDatabase(inject('postgresUrl'));
  const database = await openPostgres({ url, maxConnections: 2, patienceMs: 3_000 });
  onTestFinished(() => database.close());
  const refused = Promise.withResolvers<unknown>();
  const holding = Array.from({ length: 3 }, () =>
    database.transaction(() => refused.promise).catch(refused.resolve),
  );
  expect(await refused.promise).toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/^PostgreSQL answers, but all 2 connections of this process/),
  });
  await Promise.all(holding);
});

test('a commit waits for the disk even if the server has synchronous_commit off [H15]', async () => {
  const url = new URL(await createPostgresDatabase(inject('postgresUrl')));
  url.searchParams.set('options', '-c synchronous_commit=off');
  const database = await openPostgres({ url: url.href });
  onTestFinished(() => database.close());
  expect(await database.first(sql`SHOW synchronous_commit`)).toEqual({ synchronous_commit: 'on' });
});

test('two transactions that deadlock both happen', async () => {
  const database = await openTable();
  await database.run(sql`INSERT INTO counters VALUES ('a', 0), ('b', 0)`);
  const bothHoldOne = createBarrier(2);
  const incrementBoth = (names: string[]) =>
    database.transaction(async (tx) => {
      for (const name of names) {
        await tx.run(sql`UPDATE counters SET n = n + 1 WHERE name = ${name}`);
        await bothHoldOne();
      }
    });
  await Promise.all([incrementBoth(['a', 'b']), incrementBoth(['b', 'a'])]);
  expect(await database.all(sql`SELECT n FROM counters`)).toEqual([{ n: 2 }, { n: 2 }]);
});

test('a listener whose connection was lost is woken when it is restored, and receives notifications again [H27]', async () => {
  const database = await openTable();
  const wakes: Array<() => void> = [];
  const nextWake = () => new Promise<void>((resolve) => wakes.push(resolve));
  await database.listen('orders', () => wakes.shift()?.());
  const [listening] = await database.all<{ pid: number }>(
    sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
  );
  const wokenByReconnect = nextWake();
  await terminate(listening?.pid);
  await wokenByReconnect;
  const wokenByNotification = nextWake();
  await database.transaction(async (tx) => tx.notify('orders'));
  await wokenByNotification;
});

async function openTable(): Promise<Database> {
  const url = await createPostgresDatabase(inject('postgresUrl'));
  const database = await openPostgres({ url });
  onTestFinished(() => database.close());
  await database.run(sql`CREATE TABLE counters (name TEXT PRIMARY KEY, n BIGINT NOT NULL)`);
  return database;
}

async function readBackend(queries: Queries): Promise<number | undefined> {
  const row = await queries.first<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
  return row?.pid;
}

/** Terminates a session of the server and resolves once it is gone. */
async function terminate(pid: number | undefined): Promise<void> {
  const admin = await openPostgres({ url: inject('postgresUrl'), maxConnections: 1 });
  await admin.first(sql`SELECT pg_terminate_backend(${pid ?? 0}, 10000)`);
  await admin.close();
}

/** Resolves for all callers once `size` of them wait, and at once for later ones. */
function createBarrier(size: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let come = 0;
  return () => {
    come += 1;
    if (come >= size) resolve();
    return promise;
  };
}
