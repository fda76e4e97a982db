import { describe, expect, test } from 'vitest';
import { systemClock } from '../../wait/clock.ts';
import { callerHasLeft, onBehalfOf } from '../../wait/presence.ts';
import { sql } from '../sql.ts';
import { createGroupCommit } from './group-commit.ts';
import { openSqliteConnection } from './sqlite-connection.ts';

describe('group commit', () => {
  test('makes writes that wait together durable with one commit [H16]', async () => {
    const { commits, insert, titles, executed } = openCounted();
    await Promise.all([
      commits.write(() => insert('a')),
      commits.transaction(async () => insert('b')),
      commits.write(() => insert('c')),
    ]);
    expect(titles()).toEqual(['a', 'b', 'c']);
    expect(executed('COMMIT')).toBe(1);
  });

  test('adds a write that arrives during the group to the same group [H16]', async () => {
    const { commits, insert, executed } = openCounted();
    let late: Promise<number> | undefined;
    await commits.transaction(async () => {
      insert('a');
      late = commits.write(() => insert('b'));
    });
    await late;
    expect(executed('COMMIT')).toBe(1);
  });

  test('lets each member succeed or fail by itself [H16]', async () => {
    const { commits, insert, titles } = openCounted();
    const outcomes = await Promise.allSettled([
      commits.write(() => insert('a')),
      commits.write(() => insert('a')),
      commits.transaction(async () => {
        insert('b');
        insert('a');
      }),
      commits.write(() => insert('c')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(titles()).toEqual(['a', 'c']);
  });

  test('drops a write whose caller left while it waited [D1]', async () => {
    const { commits, insert, titles } = openCounted();
    let isGone = false;
    const hasLeft = () => isGone;
    const before = commits.transaction(async () => {
      insert('a');
      isGone = true;
    });
    const [left, leftWithWork] = onBehalfOf(hasLeft, () => [
      commits.write(() => insert('b')),
      commits.transaction(async () => insert('c')),
    ]);
    const present = commits.write(() => insert('d'));
    await expect(left).rejects.toMatchObject({ code: 'ABANDONED' });
    await expect(leftWithWork).rejects.toMatchObject({ code: 'ABANDONED' });
    await Promise.all([before, present]);
    // Work that does not have to wait is done even for a caller who has left: it may release what the caller held.
    await onBehalfOf(hasLeft, () => commits.write(() => insert('e')));
    expect(titles()).toEqual(['a', 'd', 'e']);
  });

  test('does the work of each transaction for its own caller, whoever began the group [N9]', async () => {
    const { commits } = openCounted();
    const seen = await Promise.all(
      [true, false].map((isGone) =>
        onBehalfOf(
          () => isGone,
          () => commits.relaxed.transaction(async () => callerHasLeft()()),
        ),
      ),
    );
    expect(seen).toEqual([true, false]);
  });

  test('reports no success before the commit [H15]', async () => {
    const { commits, insert, connection } = openCounted();
    const openWhenTold = commits.write(() => insert('a')).then(() => connection.isInTransaction);
    await commits.transaction(async () => insert('b'));
    expect(await openWhenTold).toBe(false);
  });

  test('refuses everyone and keeps nothing when the commit fails [H15]', async () => {
    const { commits, insert, connection, titles } = openCounted();
    const outcomes = await Promise.allSettled([
      commits.write(() => insert('a')),
      commits.write(() => connection.run(sql`INSERT INTO comments VALUES ('of no note')`)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(titles()).toEqual([]);
    await commits.write(() => insert('later'));
    expect(titles()).toEqual(['later']);
  });

  test('refuses everyone when a failure ends the physical transaction [H15]', async () => {
    const { commits, insert, connection, titles } = openCounted();
    const outcomes = await Promise.allSettled([
      commits.write(() => insert('a')),
      commits.write(() => connection.run(sql`INSERT OR ROLLBACK INTO notes VALUES ('a')`)),
      commits.write(() => insert('b')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(titles()).toEqual(['b']);
  });

  test('flushes durable writes to disk, and not relaxed ones [H15]', async () => {
    const { commits, isFlushed } = openCounted();
    const flushed = await Promise.all([
      commits.relaxed.write(isFlushed),
      commits.write(isFlushed),
      commits.relaxed.transaction(async () => isFlushed()),
    ]);
    expect(flushed).toEqual([false, true, false]);
  });

  test('commits durable writes before relaxed ones, in a group of their own [H15]', async () => {
    const { commits, insert, titles, executed } = openCounted();
    await Promise.all([
      commits.relaxed.write(() => insert('b')),
      commits.write(() => insert('a')),
      commits.relaxed.write(() => insert('c')),
    ]);
    expect(titles()).toEqual(['a', 'b', 'c']);
    expect(executed('COMMIT')).toBe(2);
  });

  test('does not starve relaxed writes, however many durable ones arrive', async () => {
    const { commits, insert } = openCounted();
    let isWritten = false;
    const relaxed = commits.relaxed.write(() => insert('relaxed')).then(() => (isWritten = true));
    let durable = 0;
    while (!isWritten && durable < 10) await commits.write(() => insert(String(durable++)));
    expect(durable).toBe(2);
    await relaxed;
  });

  test('runs the callbacks of a successful group before relaxed writes', async () => {
    const { commits, insert } = openCounted();
    const order: string[] = [];
    await Promise.all([
      commits.relaxed.write(() => order.push('relaxed')),
      commits.write(() => insert('a')).then(() => setImmediate(() => order.push('whom it told'))),
    ]);
    expect(order).toEqual(['whom it told', 'relaxed']);
  });

  test('is idle once nobody waits', async () => {
    const { commits, insert, titles } = openCounted();
    await commits.idle();
    void commits.write(() => insert('a'));
    await commits.idle();
    expect(titles()).toEqual(['a']);
  });

  test('commits more writes than a group holds', async () => {
    const { commits, insert, titles, executed } = openCounted();
    const all = Array.from({ length: 300 }, (_, index) => String(index));
    await Promise.all(all.map((title) => commits.write(() => insert(title))));
    expect(titles()).toHaveLength(300);
    expect(executed('COMMIT')).toBe(2);
  });
});

/** A group commit on a database in memory, with the transactions that it makes counted. */
function openCounted() {
  const connection = openSqliteConnection(':memory:');
  connection.execute('CREATE TABLE notes (title TEXT PRIMARY KEY)');
  // COMMIT checks a deferred reference, so this is a way to make a commit fail.
  connection.execute(
    'CREATE TABLE comments (note TEXT REFERENCES notes DEFERRABLE INITIALLY DEFERRED)',
  );
  const texts: string[] = [];
  const commits = createGroupCommit(
    {
      ...connection,
      get isInTransaction() {
        return connection.isInTransaction;
      },
      execute(text) {
        texts.push(text);
        connection.execute(text);
      },
    },
    systemClock,
  );
  return {
    commits,
    connection,
    insert: (title: string) => connection.run(sql`INSERT INTO notes VALUES (${title})`),
    titles: () => connection.all(sql`SELECT title FROM notes`).map(({ title }) => title),
    isFlushed: () => connection.first(sql`PRAGMA synchronous`)?.synchronous === 2,
    executed: (text: string) => texts.filter((one) => one === text).length,
  };
}
