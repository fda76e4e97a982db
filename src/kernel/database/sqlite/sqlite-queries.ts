import type { Queries, Row } from '../database.ts';
import type { Sql } from '../sql.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** The queries of the port on one connection. The caller asserts the type of the row it asked for, hence the casts. */
export function sqliteQueries(connection: SqliteConnection): Queries {
  return {
    all: async <T extends Row>(statement: Sql) => connection.all(statement) as T[],
    first: async <T extends Row>(statement: Sql) => connection.first(statement) as T | undefined,
    run: async (statement) => connection.run(statement),
  };
}
