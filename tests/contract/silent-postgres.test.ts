import { expect, inject, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/kernel/database/postgres/open-postgres.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { onBehalfOf } from '../../src/kernel/wait/presence.ts';
import { createPostgresDatabase } from '../support/create-postgres-database.ts';
import { openPostgresProxy } from '../support/open-postgres-proxy.ts';

async function openNotes(options: { maxConnections?: number; patienceMs?: number } = {}) {
  const url = await createPostgresDatabase(inject('postgresUrl'));
  const proxy = await openPostgresProxy(url);
  const database = await openPostgres({ url: proxy.url, patienceMs: 500, ...options });
  onTestFinished(() => database.close());
  await database.run(sql`CREATE TABLE notes (title TEXT PRIMARY KEY)`);
  const direct = await openPostgres({ url, maxConnections: 2 });
  onTestFinished(() => direct.close());
  const note = (title: string) => database.run(sql`INSERT INTO notes VALUES (${title})`);
  const titles = async () =>
    (await direct.all<{ title: string }>(sql`SELECT title FROM notes ORDER BY title`)).map(
      ({ title }) => title,
    );
  return { database, direct, proxy, note, titles };
}

test('a connection that dies silently is dropped, together with all idle ones [D1]', async () => {
  const { database, proxy, note, titles } = await openNotes();
  // Several at once, so that several connections are idle afterwards.
  await Promise.all(['a', 'b', 'c', 'd'].map(note));
  proxy.freezeOpen();
  await expect(note('lost')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('unanswered for 0.5 s'),
  });
  await note('e');
  await database.transaction((tx) => tx.run(sql`INSERT INTO notes VALUES ('f')`));
  expect(await titles()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('a commit whose answer is lost is given up, and holds up no other connection [D1]', async () => {
  const { database, proxy, note, titles } = await openNotes();
  const swallowed = proxy.swallowAnswerTo('COMMIT\0');
  const lost = database.transaction((tx) => tx.run(sql`INSERT INTO notes VALUES ('kept')`));
  await swallowed;
  await note('b');
  await expect(lost).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  // The server had committed it: such a failure leaves open whether a write happened.
  expect(await titles()).toEqual(['b', 'kept']);
});

test('a database that hangs can still be closed [D1]', async () => {
  const { database, proxy, note } = await openNotes();
  await database.listen('notes', () => {});
  await note('a');
  proxy.freeze();
  await database.close();
});

test('a caller who left while waiting for a connection is not served [D1]', async () => {
  const { database, note, titles } = await openNotes({ maxConnections: 1, patienceMs: 10_000 });
  const leaving = Promise.withResolvers<void>();
  let isGone = false;
  const held = database.transaction(async (tx) => {
    await tx.run(sql`INSERT INTO notes VALUES ('a')`);
    await leaving.promise;
  });
  const abandoned = onBehalfOf(
    () => isGone,
    () => note('of who left'),
  );
  const present = onBehalfOf(
    () => false,
    () => note('b'),
  );
  isGone = true;
  leaving.resolve();
  await expect(abandoned).rejects.toMatchObject({ code: 'ABANDONED' });
  await Promise.all([held, present]);
  expect(await titles()).toEqual(['a', 'b']);
});

test('a listener whose connection died silently receives notifications again [D1]', async () => {
  const { database, direct, proxy } = await openNotes();
  let wakes = 0;
  let woken = Promise.withResolvers<void>();
  await database.listen('orders', () => {
    wakes += 1;
    woken.resolve();
  });
  proxy.freezeOpen();
  await direct.transaction(async (tx) => tx.notify('orders'));
  // The notification was lost; the new connection makes up for it with a wake.
  await woken.promise;
  expect(wakes).toBe(1);
  woken = Promise.withResolvers();
  await direct.transaction(async (tx) => tx.notify('orders'));
  await woken.promise;
});

test('a transaction whose process is paused releases its rows within 3 s, and runs again [D2]', async () => {
  const { database, direct } = await openNotes({ patienceMs: 10_000 });
  await database.run(sql`INSERT INTO notes VALUES ('a')`);
  const [isHeld, hasGone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const paused = database.transaction(async (tx) => {
    runs += 1;
    await tx.first(sql`SELECT title FROM notes WHERE title = 'a' FOR UPDATE`);
    isHeld.resolve();
    await hasGone.promise;
    return tx.run(sql`UPDATE notes SET title = 'of who stood still' WHERE title = 'b'`);
  });
  await isHeld.promise;
  const since = systemClock.elapsed();
  await direct.run(sql`UPDATE notes SET title = 'b' WHERE title = 'a'`);
  expect(systemClock.elapsed() - since).toBeLessThan(3_000);
  hasGone.resolve();
  expect(await paused).toBe(1);
  expect(runs).toBe(2);
});
