import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Database, Queries } from '../../kernel/database/database.ts';
import { listApplied, type Migration, migrate } from '../../kernel/database/migrate.ts';
import { sql, sqlText } from '../../kernel/database/sql.ts';
import { openSqlite, sqliteQueries } from '../../kernel/database/sqlite/open-sqlite.ts';
import { openSqliteConnection } from '../../kernel/database/sqlite/sqlite-connection.ts';
import { manifestTables } from './backup-manifest.ts';
import { BackupError } from './backup-place.ts';
import { readInSteps } from './copy-rows.ts';

/**
 * Checks a copy of a database that nobody else uses, alone in a directory: its schema first, then its pages. Runs `work` on it in a
 * transaction, and leaves one file with no log beside it. Throws `NOT_A_BACKUP` and `OTHER_VERSION`.
 */
export async function withWholeDatabase<T>(
  path: string,
  ours: { readonly migrations: readonly Migration[]; readonly version: string },
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  const connection = openSqliteConnection(path, { isUntrusted: true });
  try {
    const queries = sqliteQueries(connection);
    await refuseForeignSchema(queries, { path, ...ours });
    connection.first(sql`PRAGMA journal_mode = DELETE`);
    const found = await queries.first<{ integrity_check: string }>(sql`PRAGMA integrity_check(1)`);
    if (found?.integrity_check !== 'ok') {
      throw new BackupError(
        'NOT_A_BACKUP',
        `The database is damaged (${String(found?.integrity_check).slice(0, 200)}): use another copy.`,
      );
    }
    connection.execute('BEGIN');
    const result = await work(queries);
    connection.execute('COMMIT');
    return result;
  } finally {
    connection.close();
  }
}

/** How many rows all tables hold, and the SHA-256 of them, which tells whether the file still holds what was written. */
export async function digestRows(
  queries: Queries,
): Promise<{ readonly rows: number; readonly digest: string }> {
  const tables = await queries.all<{ name: string }>(
    sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`,
  );
  const hash = createHash('sha256');
  let rows = 0;
  for (const { name: table } of tables) {
    hash.update(`${table}\n`);
    for await (const some of readInSteps(queries, { engine: 'sqlite', table, columns: ['*'] })) {
      for (const row of some) hash.update(`${JSON.stringify(row)}\n`);
      rows += some.length;
    }
  }
  return { rows, digest: hash.digest('hex') };
}

type SchemaObject = { readonly type: string; readonly name: string; readonly sql: string | null };

/** What SQLite keeps for its planner where somebody has run ANALYZE. Holds no data of ours. */
const statistics: Readonly<Record<string, string>> = {
  sqlite_stat1: 'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  sqlite_stat4: 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
};

/** What an SQLite file says of itself before its tables. Ours keep what SQLite writes unless told otherwise. */
const properties = [
  'application_id',
  'user_version',
  'encoding',
  'page_size',
  'auto_vacuum',
] as const;

/**
 * Compares the tables, indexes and properties of a database with those that our migrations make, those of older versions included,
 * since a trigger, a view, a generated column or an expression in an index would run in the server. Reads nothing of the database
 * but its schema before that is known to be ours. Also removes statistics of the planner. Throws `NOT_A_BACKUP` and `OTHER_VERSION`.
 */
async function refuseForeignSchema(
  queries: Queries,
  given: {
    /** Where the database is, alone in a directory. */
    readonly path: string;
    readonly migrations: readonly Migration[];
    readonly version: string;
  },
): Promise<void> {
  const { path, migrations, version } = given;
  const found = await objectsOf(queries);
  const expected = await openSqlite(join(dirname(path), 'expected.db'));
  try {
    await migrate(expected, []);
    const [applies] = await objectsOf(expected);
    if (!found.some((object) => isSame(object, applies))) throw foreign('no table of migrations');
    const applied = new Set(await listApplied(queries));
    const known = migrations.filter(({ id }) => applied.has(id));
    if (known.length < applied.size) {
      throw new BackupError(
        'OTHER_VERSION',
        `The database is of a newer version than this one (${version}): use that version.`,
      );
    }
    await migrate(expected, known);
    refuseDifferences(found, await objectsOf(expected));
    await refuseOther(queries, expected);
  } finally {
    await expected.close();
  }
  for (const name of Object.keys(statistics)) {
    await queries.run(sqlText(`DROP TABLE IF EXISTS ${name}`));
  }
}

async function objectsOf(queries: Queries): Promise<readonly SchemaObject[]> {
  const objects = await queries.all<SchemaObject>(
    sql`SELECT type, name, sql FROM sqlite_schema ORDER BY type, name`,
  );
  return objects.map((object) => ({ ...object, sql: object.sql && inOneLine(object.sql) }));
}

function refuseDifferences(
  found: readonly SchemaObject[],
  expected: readonly SchemaObject[],
): void {
  const added = found.find(
    (object) => !expected.some((own) => isSame(object, own)) && !isHarmless(object),
  );
  if (added !== undefined) {
    throw foreign(`the ${added.type} ${JSON.stringify(added.name)} is none of ours`);
  }
  const missing = expected.find((own) => !found.some((object) => isSame(object, own)));
  if (missing !== undefined) {
    throw foreign(`the ${missing.type} ${missing.name} is missing or changed`);
  }
  const twice = found.find(({ name }, index) => index !== found.findIndex((o) => o.name === name));
  if (twice !== undefined) throw foreign(`there are two of ${JSON.stringify(twice.name)}`);
}

/** Properties, and the texts of the migrations that were applied. */
async function refuseOther(queries: Queries, expected: Queries): Promise<void> {
  for (const property of properties) {
    const ask = sqlText(`PRAGMA ${property}`);
    const [is, wants] = [await queries.first(ask), await expected.first(ask)];
    if (is?.[property] === wants?.[property]) continue;
    throw foreign(`its ${property} is ${is?.[property]}, and ours is ${wants?.[property]}`);
  }
  const ask = sql`SELECT id, checksum FROM migrations ORDER BY id`;
  const [is, wants] = [await queries.all(ask), await expected.all(ask)];
  if (JSON.stringify(is) !== JSON.stringify(wants))
    throw foreign('its migrations have other texts');
}

function isSame(one: SchemaObject, other: SchemaObject | undefined): boolean {
  return one.type === other?.type && one.name === other.name && one.sql === other.sql;
}

function isHarmless({ type, name, sql: text }: SchemaObject): boolean {
  if (type !== 'table' || text === null) return false;
  if (name === 'backup') return manifestTables.map(inOneLine).includes(text);
  return statistics[name] === text;
}

/** SQLite keeps the text of a statement as it was written, and the same statement was written in several ways. */
const inOneLine = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')').trim();

function foreign(what: string): BackupError {
  return new BackupError(
    'NOT_A_BACKUP',
    `The database has another schema than Tradewind makes (${what}): use another copy, or remove from the database what was added by hand.`,
  );
}

/** Throws `OTHER_VERSION` unless both have the same migrations, and so the same tables. */
export async function refuseOtherVersion(one: Database, other: Database): Promise<void> {
  const [ids, others] = [await listApplied(one), await listApplied(other)];
  if (ids.join() === others.join()) return;
  throw new BackupError(
    'OTHER_VERSION',
    `The database in PostgreSQL has ${ids.length} migrations and this program has ${others.length}: use the version that the server runs, or start a server of this version on that database first.`,
  );
}
