import { describe, expect, test } from 'vitest';
import { type Database, isUniqueViolation, type Transaction } from './database.ts';
import { migrationContract } from './migrate.contract.ts';
import { sql, sqlList, sqlText } from './sql.ts';

/** An empty store of one engine, made for one test; every opening ends with the test. */
export type TestStore = { open(): Promise<Database> };

/** The contract of every engine. Code may not rely on behaviour that is not tested here. */
export function databaseContract(createStore: () => Promise<TestStore>): void {
  const openNotes = async () => {
    const store = await createStore();
    const database = await store.open();
    await database.run(sqlText(notesTable(database)));
    return { store, database };
  };

  describe('rows', () => {
    test('come back as they were written', async () => {
      const { database } = await openNotes();
      const body = `'; DROP TABLE notes; -- ? $1 "é" 🚢`;
      await database.run(sql`INSERT INTO notes (title, body, size) VALUES ('a', ${body}, ${1.5})`);
      await database.run(sql`INSERT INTO notes (title, body, size) VALUES ('b', ${null}, ${-7})`);
      expect(await database.all(sql`SELECT title, body, size FROM notes ORDER BY title`)).toEqual([
        { title: 'a', body, size: 1.5 },
        { title: 'b', body: null, size: -7 },
      ]);
    });

    test('hold integers up to 2^53 as numbers, and a larger one is refused', async () => {
      const { database } = await openNotes();
      const read = () => database.first(sql`SELECT count FROM notes`);
      await insert(database, 'a', Number.MAX_SAFE_INTEGER);
      expect(await read()).toEqual({ count: Number.MAX_SAFE_INTEGER });
      await database.run(sql`UPDATE notes SET count = count + 1`);
      await expect(read()).rejects.toMatchObject({
        code: 'STATEMENT_REFUSED',
        message: expect.stringMatching(/9007199254740992.* as text/),
      });
    });

    test('answer counts and sums as numbers and conditions as 0 and 1', async () => {
      const { database } = await openNotes();
      await insert(database, 'a', 2);
      await insert(database, 'b', 3);
      expect(
        await database.first(sql`
          SELECT COUNT(*) AS rows_there, SUM(count) AS total, SUM(count) > 4 AS is_large,
            SUM(count) = 4 AS is_four FROM notes`),
      ).toEqual({ rows_there: 2, total: 5, is_large: 1, is_four: 0 });
    });

    test('divide integers as integers', async () => {
      const { database } = await openNotes();
      await insert(database, 'a', 5);
      expect(await database.first(sql`SELECT count / ${2} AS half FROM notes`)).toEqual({
        half: 2,
      });
    });

    test('sort by code points where the column says so', async () => {
      const { database } = await openNotes();
      for (const title of ['b', 'a', 'B', 'é', '-a', '_']) await insert(database, title, 0);
      const rows = await database.all<{ title: string }>(
        sql`SELECT title FROM notes ORDER BY title`,
      );
      expect(rows.map(({ title }) => title)).toEqual(['-a', 'B', '_', 'a', 'b', 'é']);
      expect(await database.all(sql`SELECT title FROM notes WHERE title < ${'_'}`)).toHaveLength(2);
    });

    test('get keys that grow even after the last row was deleted', async () => {
      const { database } = await openNotes();
      await insert(database, 'a', 0);
      await insert(database, 'b', 0);
      const [, last] = await database.all<{ id: number }>(sql`SELECT id FROM notes ORDER BY id`);
      await database.run(sql`DELETE FROM notes`);
      const row = await database.first<{ id: number }>(
        sql`INSERT INTO notes (title) VALUES ('c') RETURNING id`,
      );
      expect(row?.id).toBeGreaterThan(last?.id ?? Number.POSITIVE_INFINITY);
    });
  });

  describe('statements', () => {
    test('answer how many rows they changed [H18]', async () => {
      const { database } = await openNotes();
      expect(await insert(database, 'a', 0)).toBe(1);
      expect(
        await database.run(
          sql`INSERT INTO notes (title) VALUES ('a') ON CONFLICT (title) DO NOTHING`,
        ),
      ).toBe(0);
      await insert(database, 'b', 0);
      expect(await database.run(sql`UPDATE notes SET count = 0`)).toBe(2);
      expect(await database.run(sql`DELETE FROM notes WHERE title = 'x'`)).toBe(0);
    });

    test('answer nothing where there is nothing', async () => {
      const { database } = await openNotes();
      expect(await database.first(sql`SELECT id FROM notes`)).toBeUndefined();
      expect(await database.all(sql`SELECT id FROM notes`)).toEqual([]);
    });

    test('are composed of parts with their values', async () => {
      const { database } = await openNotes();
      for (const title of ['a', 'b', 'c']) await insert(database, title, 1);
      const titles = sql`title IN ${sqlList(['a', 'b'])}`;
      const rows = await database.all(
        sql`SELECT title FROM notes WHERE ${titles} AND count = ${1} ORDER BY title`,
      );
      expect(rows).toEqual([{ title: 'a' }, { title: 'b' }]);
    });

    test('that write and answer rows are kept like any write [H15]', async () => {
      const { store, database } = await openNotes();
      const inserted = await database.first(
        sql`INSERT INTO notes (title, count) VALUES ('a', 1) RETURNING title, count`,
      );
      expect(inserted).toEqual({ title: 'a', count: 1 });
      const updated = await database.all(sql`
        WITH chosen AS (SELECT id FROM notes) UPDATE notes SET count = 2
        WHERE id IN (SELECT id FROM chosen) RETURNING count`);
      expect(updated).toEqual([{ count: 2 }]);
      await database.close();
      const reopened = await store.open();
      expect(await reopened.all(sql`SELECT title, count FROM notes`)).toEqual([
        { title: 'a', count: 2 },
      ]);
    });

    test('that break a unique key are refused in a recognisable way', async () => {
      const { database } = await openNotes();
      await insert(database, 'a', 0);
      expect(isUniqueViolation(await failure(insert(database, 'a', 0)))).toBe(true);
      const inTransaction = database.transaction((tx) => insert(tx, 'a', 0));
      expect(isUniqueViolation(await failure(inTransaction))).toBe(true);
      expect(isUniqueViolation(await failure(insert(database, null, 0)))).toBe(false);
    });

    test('that are wrong are refused with the reason', async () => {
      const { database } = await openNotes();
      await expect(database.all(sql`SELECT absent FROM notes`)).rejects.toMatchObject({
        code: 'STATEMENT_REFUSED',
        message: expect.stringContaining('absent'),
      });
    });
  });

  describe('a transaction', () => {
    test('answers what its work answers, once it is kept', async () => {
      const { store, database } = await openNotes();
      const answer = await database.transaction(async (tx) => {
        await insert(tx, 'a', 1);
        await insert(tx, 'b', 2);
        return 'done';
      });
      expect(answer).toBe('done');
      await database.close();
      expect(await countNotes(await store.open())).toBe(2);
    });

    test('sees its own writes, and nobody else sees them before it commits [H18]', async () => {
      const { database } = await openNotes();
      const { promise: outside, resolve } = Promise.withResolvers<Promise<number>>();
      const written = Promise.withResolvers<void>();
      const reading = written.promise.then(() => resolve(countNotes(database)));
      await database.transaction(async (tx) => {
        await insert(tx, 'a', 0);
        expect(await countNotes(tx)).toBe(1);
        written.resolve();
        await reading;
        expect(await tx.first(sql`SELECT COUNT(*) AS n FROM notes`)).toEqual({ n: 1 });
        await outside;
      });
      expect(await await outside).toBe(0);
      expect(await countNotes(database)).toBe(1);
    });

    test('that fails leaves nothing, and spares those beside it [H16, H17]', async () => {
      const { database } = await openNotes();
      const outcomes = await Promise.allSettled([
        insert(database, 'single', 0),
        database.transaction((tx) => insert(tx, 'before', 0)),
        database.transaction(async (tx) => {
          await insert(tx, 'lost', 0);
          throw new Error('changed my mind');
        }),
        insert(database, 'single', 0),
        database.transaction((tx) => insert(tx, 'after', 0)),
      ]);
      const rejected = outcomes.filter(({ status }) => status === 'rejected');
      expect(rejected).toHaveLength(2);
      expect(outcomes[2]).toMatchObject({ reason: { message: 'changed my mind' } });
      expect(await database.all(sql`SELECT title FROM notes ORDER BY title`)).toEqual([
        { title: 'after' },
        { title: 'before' },
        { title: 'single' },
      ]);
    });

    test('fails with its first failed statement, even if the error was caught [H17]', async () => {
      const { database } = await openNotes();
      const work = database.transaction(async (tx) => {
        await insert(tx, 'a', 0);
        await insert(tx, 'a', 0).catch(() => 0);
        await insert(tx, 'b', 0).catch(() => 0);
      });
      expect(isUniqueViolation(await failure(work))).toBe(true);
      expect(await countNotes(database)).toBe(0);
    });

    test('fails with a failed statement that its work did not await [H17]', async () => {
      const { database } = await openNotes();
      const work = database.transaction(async (tx) => {
        await insert(tx, 'a', 0);
        insert(tx, 'a', 0).catch(() => 0);
      });
      expect(isUniqueViolation(await failure(work))).toBe(true);
      expect(await countNotes(database)).toBe(0);
    });

    test('takes statements that are asked at once', async () => {
      const { database } = await openNotes();
      const titles = Array.from({ length: 20 }, (_, index) => `note ${index}`);
      await database.transaction(async (tx) => {
        await Promise.all(titles.map((title) => insert(tx, title, 0)));
      });
      expect(await countNotes(database)).toBe(20);
    });

    test('is of no use after its end', async () => {
      const { database } = await openNotes();
      const leaked = await database.transaction(async (tx) => ({ tx }));
      await expect(insert(leaked.tx, 'late', 0)).rejects.toMatchObject({ code: 'MISUSED' });
      expect(() => leaked.tx.notify('late')).toThrow(/after its work ended/);
      expect(await countNotes(database)).toBe(0);
    });

    test('refuses a work that asks the database and would wait for itself', async () => {
      const { database } = await openNotes();
      for (const ask of [
        () => insert(database, 'nested', 0),
        () => countNotes(database),
        () => database.transaction(async () => {}),
      ]) {
        const work = database.transaction(async () => void (await ask()));
        await expect(work).rejects.toMatchObject({ code: 'MISUSED' });
      }
      await database.transaction((tx) => insert(tx, 'fine', 0));
    });

    test('counts right when many change one row [H18]', async () => {
      const { database } = await openNotes();
      await insert(database, 'a', 0);
      const increment = sql`UPDATE notes SET count = count + 1 WHERE title = 'a'`;
      await Promise.all(
        Array.from({ length: 64 }, (_, index) =>
          index % 2 === 0
            ? database.run(increment)
            : database.transaction((tx) => tx.run(increment)),
        ),
      );
      expect(await database.first(sql`SELECT count FROM notes`)).toEqual({ count: 64 });
    });

    test('of rivals for one row lets exactly one win [H18]', async () => {
      const { database } = await openNotes();
      await insert(database, 'code', 0);
      const spend = sql`UPDATE notes SET count = 1 WHERE title = 'code' AND count = 0`;
      const changed = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          index % 2 === 0 ? database.run(spend) : database.transaction((tx) => tx.run(spend)),
        ),
      );
      expect(changed.toSorted()).toEqual([...Array.from({ length: 15 }, () => 0), 1]);
    });

    test('claims rows that no other claims [H18]', async () => {
      const { database } = await openNotes();
      for (let index = 0; index < 40; index++) await insert(database, `note ${index}`, 0);
      const claim = () =>
        database.transaction((tx) =>
          tx.all<{ id: number }>(sql`
            WITH due AS MATERIALIZED (
              SELECT id FROM notes WHERE count = 0 ORDER BY id LIMIT 5 ${database.dialect.skipLocked}
            ) UPDATE notes SET count = 1 WHERE id IN (SELECT id FROM due) RETURNING id`),
        );
      const claimed = (await Promise.all(Array.from({ length: 8 }, claim))).flat();
      expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length);
      expect(claimed.length).toBeGreaterThan(0);
    });

    test('waits for a named lock that another holds', async () => {
      const { database } = await openNotes();
      const increment = () =>
        database.transaction(async (tx) => {
          await tx.first(database.dialect.lock('counter'));
          const row = await tx.first<{ n: number }>(sql`SELECT COUNT(*) AS n FROM notes`);
          await insert(tx, `note ${row?.n}`, 0);
        });
      await Promise.all(Array.from({ length: 8 }, increment));
      expect(await countNotes(database)).toBe(8);
    });
  });

  describe('relaxed writes', () => {
    test('are seen at once, and kept by a close', async () => {
      const { store, database } = await openNotes();
      const { relaxed } = database;
      await insert(relaxed, 'a', 0);
      expect(await countNotes(database)).toBe(1);
      await relaxed.transaction((tx) => insert(tx, 'b', 0));
      expect(await countNotes(relaxed)).toBe(2);
      await database.close();
      await expect(countNotes(relaxed)).rejects.toMatchObject({ code: 'MISUSED' });
      expect(await countNotes(await store.open())).toBe(2);
    });

    test('do without the disk, and no other write does [H15]', async () => {
      const { database } = await openNotes();
      const read = (tx: Transaction) => isFlushed(tx, database);
      for (const _ of ['first', 'again']) {
        expect(await database.relaxed.transaction(read)).toBe(false);
        expect(await database.transaction(read)).toBe(true);
      }
    });

    test('share nothing but the commit with those beside them [H15, H16]', async () => {
      const { database } = await openNotes();
      const work = (title: string) => async (tx: Transaction) => {
        await insert(tx, title, 0);
        return isFlushed(tx, database);
      };
      await insert(database, 'taken', 0);
      const { relaxed } = database;
      const outcomes = await Promise.allSettled([
        relaxed.transaction(work('a')),
        database.transaction(work('b')),
        relaxed.transaction(work('taken')),
        database.transaction(work('taken')),
        relaxed.run(sql`INSERT INTO notes (title) VALUES ('c')`),
        database.transaction(work('d')),
      ]);
      expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
        ...[true, true, false],
        ...[false, true, true],
      ]);
      expect([outcomes[1], outcomes[5]]).toMatchObject([{ value: true }, { value: true }]);
      expect(await countNotes(database)).toBe(5);
    });
  });

  describe('notifications', () => {
    test('wake the listeners of their channel after the commit [H27]', async () => {
      const { database } = await openNotes();
      const heard = createEar();
      const other = createEar();
      await database.listen('orders', heard.wake);
      await database.listen('other', other.wake);
      await database.transaction(async (tx) => {
        tx.notify('orders');
        tx.notify('orders');
        await insert(tx, 'a', 0);
        expect(heard.times()).toBe(0);
      });
      await heard.next();
      expect(other.times()).toBe(0);
    });

    test('wake both of two that begin to listen on a channel at the same time [H27]', async () => {
      const { database } = await openNotes();
      const one = createEar();
      const other = createEar();
      await Promise.all([
        database.listen('orders', one.wake),
        database.listen('orders', other.wake),
      ]);
      await database.transaction(async (tx) => tx.notify('orders'));
      await expect.poll(() => [one.times(), other.times()]).toEqual([1, 1]);
    });

    test('hand on their details, each once [H27]', async () => {
      const { database } = await openNotes();
      const heard: unknown[] = [];
      await database.listen('orders', (detail) => heard.push(detail));
      await database.transaction(async (tx) => {
        for (const detail of ['7,8', '9', '7,8']) tx.notify('orders', detail);
      });
      await expect.poll(() => heard).toEqual(['7,8', '9']);
    });

    test('on a channel of the own process wake it once, after the commit, with every detail [H27]', async () => {
      const { database } = await openNotes();
      const heard: unknown[] = [];
      await database.listen('mine', (detail) => heard.push(detail), { isOwn: true });
      await failure(
        database.transaction(async (tx) => {
          tx.notify('mine', 'never');
          throw new Error('no');
        }),
      );
      await database.transaction(async (tx) => {
        for (const detail of ['7', '8', '7']) tx.notify('mine', detail);
        await insert(tx, 'a', 0);
        expect(heard).toEqual([]);
      });
      await expect.poll(() => heard).toEqual(['7', '8']);
    });

    test('of a failed transaction are not sent, and a listener that left hears none [H27]', async () => {
      const { database } = await openNotes();
      const stays = createEar();
      const leaves = createEar();
      await database.listen('orders', stays.wake);
      const unlisten = await database.listen('orders', leaves.wake);
      await unlisten();
      await failure(
        database.transaction(async (tx) => {
          tx.notify('orders');
          throw new Error('no');
        }),
      );
      expect(stays.times()).toBe(0);
      await database.transaction(async (tx) => tx.notify('orders'));
      await stays.next();
      expect(stays.times()).toBe(1);
      expect(leaves.times()).toBe(0);
    });
  });

  describe('closing', () => {
    test('waits for running writes and refuses later ones [H15]', async () => {
      const { store, database } = await openNotes();
      const writes = [insert(database, 'a', 0), database.transaction((tx) => insert(tx, 'b', 0))];
      const closing = database.close();
      await Promise.all([...writes, closing]);
      await expect(insert(database, 'late', 0)).rejects.toMatchObject({ code: 'MISUSED' });
      await expect(countNotes(database)).rejects.toMatchObject({ code: 'MISUSED' });
      await database.close();
      expect(await countNotes(await store.open())).toBe(2);
    });
  });

  describe('migrations', () => migrationContract(createStore));
}

function notesTable({ dialect }: Database): string {
  return `CREATE TABLE notes (id ${dialect.identity}, title ${dialect.sortedText} NOT NULL UNIQUE,
    body TEXT, size DOUBLE PRECISION, count BIGINT NOT NULL DEFAULT 0)`;
}

function insert(
  queries: Pick<Database, 'run'>,
  title: string | null,
  count: number,
): Promise<number> {
  return queries.run(sql`INSERT INTO notes (title, count) VALUES (${title}, ${count})`);
}

/** Asks a transaction, in the SQL of its engine, whether its commit waits for the disk. */
async function isFlushed(tx: Transaction, { engine }: Database): Promise<boolean> {
  if (engine === 'postgres') {
    const row = await tx.first(sql`SHOW synchronous_commit`);
    return row?.synchronous_commit === 'on';
  }
  const row = await tx.first(sql`PRAGMA synchronous`);
  return row?.synchronous === 2;
}

async function countNotes(queries: Pick<Database, 'first'>): Promise<number> {
  const row = await queries.first<{ n: number }>(sql`SELECT COUNT(*) AS n FROM notes`);
  return row?.n ?? Number.NaN;
}

function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error) => error,
  );
}

/** A listener: `next` resolves at the next wake, or at once if one came already. */
function createEar() {
  let times = 0;
  const first = Promise.withResolvers<void>();
  return {
    wake() {
      times += 1;
      first.resolve();
    },
    times: () => times,
    next: () => first.promise,
  };
}
