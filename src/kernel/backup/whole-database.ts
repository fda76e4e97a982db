import { createHash } from 'node:crypto';
import type { Queries } from '../database/database.ts';
import type { Migration } from '../database/migrate.ts';
import { readInSteps } from '../database/read-in-steps.ts';
import { sql } from '../database/sql.ts';
import { openSqliteConnection } from '../database/sqlite/sqlite-connection.ts';
import { sqliteQueries } from '../database/sqlite/sqlite-queries.ts';
import { BackupError } from './backup-error.ts';
import { refuseForeignSchema } from './refuse-foreign-schema.ts';

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
