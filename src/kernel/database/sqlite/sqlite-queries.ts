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
export function sqliteQueries(connection: SqliteConnection): Queries {
  return {
    dialect: sqliteDialect,
    all: async <T extends Row>(statement: Sql) => connection.all(statement) as T[],
    first: async <T extends Row>(statement: Sql) => connection.first(statement) as T | undefined,
    run: async (statement) => connection.run(statement),
  };
}
