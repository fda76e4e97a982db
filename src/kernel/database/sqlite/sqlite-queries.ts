import type { InTurn } from '../../time/bound-turns.ts';
import type { Dialect, Queries, Row } from '../database.ts';
import { type Sql, sql } from '../sql.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

export const sqliteDialect: Dialect = {
  // One writer: nobody else can hold a row.
  skipLocked: sql``,
  forUpdate: sql``,
  lock: () => sql`SELECT 1`,
  identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  sortedText: 'TEXT',
};

/** The queries of the port on one connection. The caller asserts the type of the row it asked for, hence the casts. */
export function sqliteQueries(
  connection: SqliteConnection,
  ask: InTurn = async (statement) => statement(),
): Queries {
  return {
    dialect: sqliteDialect,
    all: <T extends Row>(statement: Sql) => ask(() => connection.all(statement) as T[]),
    first: <T extends Row>(statement: Sql) =>
      ask(() => connection.first(statement) as T | undefined),
    run: (statement) => ask(() => connection.run(statement)),
  };
}
