import type { Clock } from '../../time/clock.ts';
import { DatabaseError } from '../database-error.ts';
import { sql, sqlText } from '../sql.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/**
 * Milliseconds for which a start looks for damage. SQLite reads a gigabyte in about five seconds; if a
 * file takes longer, the remaining tables are not checked.
 */
const budget = 10_000;

/**
 * Checks the embedded file, table by table with their indexes, for pages that were overwritten or are
 * inconsistent (D10). Does not notice a value that was changed in place: SQLite keeps no checksums.
 * Throws `UNAVAILABLE`, which names the file and the way out.
 */
export function refuseDamage(
  connection: SqliteConnection,
  { path, clock }: { readonly path: string; readonly clock: Pick<Clock, 'elapsed'> },
): void {
  const since = clock.elapsed();
  for (const table of tablesOf(connection, path)) {
    if (clock.elapsed() - since > budget) return;
    const found = damageOf(connection, table);
    if (found !== undefined) throw damaged(path, `in table ${table}: ${found}`);
  }
}

function tablesOf(connection: SqliteConnection, path: string): string[] {
  try {
    const rows = connection.all(
      sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name`,
    );
    return rows.map(({ name }) => String(name));
  } catch (error) {
    throw damaged(path, error instanceof Error ? error.message : String(error));
  }
}

function damageOf(connection: SqliteConnection, table: string): string | undefined {
  try {
    // The name comes from the schema of the file; in quotes it cannot be read as SQL.
    const text = `PRAGMA quick_check('${table.replaceAll("'", "''")}')`;
    const found = connection.all(sqlText(text)).map(({ quick_check: line }) => String(line));
    // The first line is about the tree, further ones are about its pages.
    return found.every((line) => line === 'ok')
      ? undefined
      : found.join(' ').replaceAll('\n', ' ').slice(0, 300);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function damaged(path: string, found: string): DatabaseError {
  return new DatabaseError(
    'UNAVAILABLE',
    `The database file ${path} is damaged (${found}): keep a copy of it, then put a backup in its place, or save what is left with: sqlite3 ${path} .recover`,
  );
}
