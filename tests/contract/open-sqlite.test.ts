import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Queries } from '../../src/kernel/database/database.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { openSqlite } from '../../src/kernel/database/sqlite/open-sqlite.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { createDataDir } from '../support/create-data-dir.ts';

const module = new URL('../../src/kernel/database/sqlite/open-sqlite.ts', import.meta.url).href;

test('a second process is refused the file, told where it is and what to do [H20]', async () => {
  const path = join(createDataDir(), 'tradewind.db');
  const database = await openSqlite(path);
  onTestFinished(() => database.close());
  const script = `
    const { openSqlite } = await import(${JSON.stringify(module)});
    await openSqlite(${JSON.stringify(path)}).catch((error) => console.log(error.code, error.message));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  expect(stdout).toMatch(/^IN_USE .*tradewind\.db.*stop that process/);
  await database.run(sql`CREATE TABLE still_ours (id BIGINT)`);
});

test('the same process is refused the file a second time and gets it after a close', async () => {
  const path = join(createDataDir(), 'tradewind.db');
  const database = await openSqlite(path);
  await expect(openSqlite(path)).rejects.toMatchObject({ code: 'IN_USE' });
  await database.close();
  await (await openSqlite(path)).close();
});

test('a directory that cannot be made is named, with the way out', async () => {
  const file = join(createDataDir(), 'a-file');
  writeFileSync(file, '');
  await expect(openSqlite(join(file, 'tradewind.db'))).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/a-file cannot be made .*choose another by TRADEWIND_DATA_DIR/),
  });
});

test('a file that is not a database is refused and its lock released', async () => {
  const path = join(createDataDir(), 'tradewind.db');
  writeFileSync(path, 'a letter to the editor, much too long to be an empty file'.repeat(20));
  for (const _ of ['first', 'second']) {
    await expect(openSqlite(path)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('not a database'),
    });
  }
});

test('the file is kept with a write-ahead log and a full fsync [H15]', async () => {
  const database = await openSqlite(join(createDataDir(), 'tradewind.db'));
  onTestFinished(() => database.close());
  const pragmas = await database.transaction(async (tx) => [
    await tx.first(sql`PRAGMA journal_mode`),
    await tx.first(sql`PRAGMA synchronous`),
  ]);
  expect(pragmas).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }]);
});

test.each(['new', 'there before'])(
  'a file that is %s can be read by its owner alone, with all beside it, in any folder [F19]',
  async (age) => {
    const directory = createDataDir();
    chmodSync(directory, 0o755);
    const path = join(directory, 'tradewind.db');
    const write = async () => {
      const database = await openSqlite(path);
      onTestFinished(() => database.close());
      await database.run(sql`CREATE TABLE IF NOT EXISTS a (b TEXT)`);
      return database;
    };
    const before = age === 'new' ? undefined : await write();
    await before?.close();
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o644);
    await write();
    const names = readdirSync(directory).sort();
    const modes = names.map((name) => statSync(join(directory, name)).mode & 0o777);
    expect(names).toEqual(expect.arrayContaining(['tradewind.db', 'tradewind.db-wal']));
    expect(modes).toEqual(names.map(() => 0o600));
  },
);

test('a page that was overwritten is noticed at the start, with the file and the way out [D10]', async () => {
  const path = join(createDataDir(), 'tradewind.db');
  const database = await openSqlite(path);
  await database.run(sql`CREATE TABLE notes (id BIGINT PRIMARY KEY, body TEXT)`);
  await database.transaction(async (tx) => {
    for (let id = 0; id < 200; id++) {
      await tx.run(sql`INSERT INTO notes VALUES (${id}, ${'a note '.repeat(100)})`);
    }
  });
  await database.close();
  const [pageSize, pages] = [4_096, statSync(path).size / 4_096];
  const whole = readFileSync(path);
  // Damages each page in turn but the first, without which the file is no database.
  for (const page of Array.from({ length: pages - 1 }, (_, index) => index + 1)) {
    const broken = Buffer.from(whole);
    broken.fill(0xa5, page * pageSize, (page + 1) * pageSize);
    writeFileSync(path, broken);
    await expect(openSqlite(path), `page ${page}`).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/tradewind\.db is damaged .*backup.*\.recover/),
    });
  }
  writeFileSync(path, whole);
  const mended = await openSqlite(path);
  onTestFinished(() => mended.close());
  expect(await mended.first(sql`SELECT COUNT(*) AS n FROM notes`)).toEqual({ n: 200 });
});

test.each(['transaction', 'reads'] as const)(
  'many statements of one kind, %s, let the event loop turn between them [N1]',
  async (kind) => {
    // Every read of the clock takes a millisecond, so the speed of the machine does not matter.
    let elapsed = 0;
    const clock = { ...systemClock, elapsed: () => elapsed++ };
    const database = await openSqlite(join(createDataDir(), 'tradewind.db'), { clock });
    onTestFinished(() => database.close());
    let turns = 0;
    const count = () => {
      turns += 1;
      turning = setImmediate(count);
    };
    let turning = setImmediate(count);
    onTestFinished(() => clearImmediate(turning));
    const read = async (queries: Queries) => {
      for (let n = 0; n < 100; n++) await queries.first(sql`SELECT 1`);
    };
    await (kind === 'reads' ? read(database) : database.transaction(read));
    expect(turns).toBeGreaterThanOrEqual(10);
  },
);
