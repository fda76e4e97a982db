import type { Queries } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { openSqliteConnection } from '../database/sqlite/sqlite-connection.ts';
import { sqliteQueries } from '../database/sqlite/sqlite-queries.ts';
import { BackupError } from './backup-error.ts';

/**
 * Opens a copy of a database for `work`, which nobody else has, and leaves it as one whole file: with no log beside
 * it, and looked through from end to end. Throws `NOT_A_BACKUP` where its pages do not fit together.
 */
export async function withWholeDatabase<T>(
  path: string,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  const connection = openSqliteConnection(path);
  try {
    connection.first(sql`PRAGMA journal_mode = DELETE`);
    const queries = sqliteQueries(connection);
    const found = await queries.all<{ quick_check: string }>(sql`PRAGMA quick_check(1)`);
    if (found[0]?.quick_check !== 'ok') {
      throw new BackupError(
        'NOT_A_BACKUP',
        `The database is damaged (${String(found[0]?.quick_check).slice(0, 200)}): use another copy.`,
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

/** How many rows all tables hold. */
export async function countRows(queries: Queries): Promise<number> {
  const tables = await queries.all<{ name: string }>(
    sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`,
  );
  let rows = 0;
  for (const { name } of tables) {
    const counted = await queries.first<{ rows: number }>({
      strings: [`SELECT COUNT(*) AS rows FROM ${name}`],
      values: [],
    });
    rows += counted?.rows ?? 0;
  }
  return rows;
}
