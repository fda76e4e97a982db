import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { installationOf, migrations } from '../../src/app/installation/installation-of.ts';
import { openMasterKey } from '../../src/app/installation/master-key.ts';
import { type Migration, migrate } from '../../src/kernel/database/migrate.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { enterDataDirectory } from '../../src/kernel/process/data-directory.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { runInProcess } from '../support/run-in-process.ts';

async function tradewind(...args: readonly string[]) {
  const { code, stdout, stderr } = await runInProcess([...args, '--json']);
  return { code, stdout, error: stderr === '' ? undefined : JSON.parse(stderr).error };
}

/** An installation as a server of some version leaves it. */
async function makeInstallation(of: readonly Migration[] = migrations): Promise<string> {
  const dataDir = enterDataDirectory(createDataDir());
  const { openerIn, random } = installationOf({
    environment: { TRADEWIND_DATA_DIR: dataDir },
    flags: {},
  });
  const database = await openDatabase({ dataDir });
  await migrate(database, of);
  await openMasterKey({ database, opener: openerIn(dataDir), random });
  await database.close();
  return dataDir;
}

async function makeBackup(dataDir?: string): Promise<string> {
  const file = join(createDataDir(), 'whole.backup');
  const from = dataDir ?? (await makeInstallation());
  expect(await tradewind('backup', file, '--data-dir', from)).toMatchObject({ code: 0 });
  return file;
}

/** A copy of a backup, changed by statements that no digest of rows notices. */
function change(file: string, ...statements: readonly string[]): string {
  const copy = join(createDataDir(), 'changed.backup');
  copyFileSync(file, copy);
  const database = new DatabaseSync(copy, { defensive: false });
  for (const statement of statements) database.exec(statement);
  database.close();
  return copy;
}

const endless =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) AS a FROM n';
const asSchema = (text: string) => ['PRAGMA writable_schema = ON', text];

/** What a hostile file may hold besides rows, by what it is. */
const changes: Record<string, readonly string[]> = {
  'a trigger': ['CREATE TRIGGER planted AFTER INSERT ON migrations BEGIN DELETE FROM outbox; END'],
  'a trigger that waits for the server': [
    'CREATE TRIGGER planted BEFORE UPDATE ON accounts BEGIN DELETE FROM accounts; END',
  ],
  'a view': ['CREATE VIEW planted AS SELECT * FROM migrations'],
  'a view in the place of what the file says of itself': [
    'DROP TABLE backup',
    `CREATE VIEW backup AS ${endless}`,
  ],
  'a view in the place of the migrations': [
    'ALTER TABLE migrations RENAME TO aside',
    `CREATE VIEW migrations AS ${endless}`,
  ],
  'a virtual table': ['CREATE VIRTUAL TABLE planted USING fts5(a)'],
  'another table': ['CREATE TABLE planted (a TEXT)'],
  'another column': ['ALTER TABLE accounts ADD COLUMN planted TEXT'],
  'a generated column': [
    'ALTER TABLE migrations ADD COLUMN planted TEXT AS (id || checksum) VIRTUAL',
  ],
  'an index': ['CREATE INDEX planted ON migrations (checksum)'],
  'an index with an expression': ['CREATE INDEX planted ON migrations (upper(checksum))'],
  'an index that is missing': [
    ...asSchema(
      "DELETE FROM sqlite_schema WHERE name = (SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL LIMIT 1)",
    ),
  ],
  'a check that is missing': asSchema(
    "UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE name = 'migrations'",
  ),
  'a table that calls itself that of statistics': [
    'ANALYZE',
    ...asSchema(
      "UPDATE sqlite_schema SET sql = 'CREATE TABLE sqlite_stat1(tbl,idx,stat,a AS (1))' WHERE name = 'sqlite_stat1'",
    ),
  ],
  'the number of another program': ['PRAGMA application_id = 1'],
  'a version of another program': ['PRAGMA user_version = 7'],
  'huge pages': ['PRAGMA page_size = 65536', 'VACUUM'],
  'vacuuming by itself': ['PRAGMA auto_vacuum = FULL', 'VACUUM'],
  'a migration with another text': [
    "UPDATE migrations SET checksum = 'a' WHERE rowid = 1",
    'UPDATE backup SET digest = NULL',
  ],
  'two rows about itself': ['INSERT INTO backup SELECT * FROM backup'],
  'a date that there is not': ['UPDATE backup SET made = 9007199254740991'],
  'a key that is no text': ["UPDATE backup SET key = x'00'"],
  'no row about itself': ['DELETE FROM backup'],
};

describe('a backup with', () => {
  test.each(Object.entries(changes))('%s is not restored [F32]', async (_, statements) => {
    // Whoever changes the rest can leave out the digest, too, as older versions did.
    const file = change(await makeBackup(), 'UPDATE backup SET digest = NULL', ...statements);
    const dataDir = createDataDir();
    const run = await tradewind('restore', file, '--data-dir', dataDir);
    expect(run).toMatchObject({ code: 1, error: { code: 'NOT_A_BACKUP' } });
    const left = readdirSync(dataDir).filter((name) => name !== 'tradewind.db.lock');
    expect(left).toEqual([]);
  });
});

test('a backup with a row before the first is not restored: the digest is of all rows [F32]', async () => {
  const file = change(
    await makeBackup(),
    "INSERT INTO rate_limits (rowid, name, key, given_until) VALUES (-7, 'a', 'planted', 1)",
  );
  const run = await tradewind('restore', file, '--data-dir', createDataDir());
  expect(run).toMatchObject({ code: 1, error: { code: 'NOT_A_BACKUP' } });
});

/** How versions have written the table in which a backup says of itself what it is. */
const older: Record<string, readonly string[]> = {
  'with the newest table': [],
  'with a table in several lines': [
    'ALTER TABLE backup RENAME TO aside',
    'CREATE TABLE backup (\n      version TEXT NOT NULL, made BIGINT NOT NULL, engine TEXT NOT NULL, key TEXT, digest TEXT)',
    'INSERT INTO backup SELECT * FROM aside',
    'DROP TABLE aside',
  ],
  'with a table without a digest': ['ALTER TABLE backup DROP COLUMN digest'],
};

test.each([
  ['of this version', migrations],
  ['of half of the migrations', migrations.slice(0, Math.ceil(migrations.length / 2))],
  ['of the first domain alone', migrations.slice(0, 8)],
] as const)('a backup %s is restored, whichever version wrote it [F32]', async (_, of) => {
  const file = await makeBackup(await makeInstallation(of));
  for (const [how, statements] of Object.entries(older)) {
    const dataDir = createDataDir();
    const run = await tradewind('restore', change(file, ...statements), '--data-dir', dataDir);
    expect(run, how).toMatchObject({ code: 0 });
    const database = await openDatabase({ dataDir });
    await migrate(database, migrations);
    await database.close();
  }
});

test('a database that somebody has analysed is backed up, and its statistics are not restored [F32]', async () => {
  const dataDir = await makeInstallation();
  const live = new DatabaseSync(join(dataDir, 'tradewind.db'));
  live.exec('ANALYZE');
  live.close();
  const file = await makeBackup(dataDir);
  const copy = new DatabaseSync(file, { readOnly: true });
  expect(copy.prepare("SELECT 1 FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'").get()).toBe(
    undefined,
  );
  copy.close();
  const fresh = createDataDir();
  const analysed = change(file, 'ANALYZE');
  expect(await tradewind('restore', analysed, '--data-dir', fresh)).toMatchObject({ code: 0 });
});

test('a database to which somebody has added a trigger is not backed up, and the trigger is named [F32]', async () => {
  const dataDir = await makeInstallation();
  const live = new DatabaseSync(join(dataDir, 'tradewind.db'));
  live.exec('CREATE TRIGGER planted AFTER INSERT ON migrations BEGIN SELECT 1; END');
  live.close();
  const run = await tradewind('backup', join(createDataDir(), 'a.db'), '--data-dir', dataDir);
  expect(run).toMatchObject({
    code: 1,
    error: { code: 'NOT_A_BACKUP', message: expect.stringContaining('the trigger "planted"') },
  });
});
