import type { Database, Queries, Row, Transactional } from '../../src/kernel/database/database.ts';
import type { Sql } from '../../src/kernel/database/sql.ts';

/** The work of a database so far. */
export type QueryCount = {
  queries: number;
  /** Rows that queries returned. */
  rows: number;
  /** Characters of text in these rows. */
  characters: number;
  transactions: number;
  notices: number;
  wakes: number;
};

/** A database that counts its queries, transactions, notices and wakes. The queries of a transaction count as well. */
export function countQueries(database: Database): { database: Database; count: QueryCount } {
  const count = { queries: 0, rows: 0, characters: 0, transactions: 0, notices: 0, wakes: 0 };
  const countRow = (row: Row) => {
    count.rows++;
    for (const value of Object.values(row))
      count.characters += typeof value === 'string' ? value.length : 0;
  };
  const counting = (queries: Queries): Queries => ({
    dialect: queries.dialect,
    async all<T extends Row>(statement: Sql) {
      count.queries++;
      const rows = await queries.all<T>(statement);
      rows.forEach(countRow);
      return rows;
    },
    async first<T extends Row>(statement: Sql) {
      count.queries++;
      const row = await queries.first<T>(statement);
      if (row !== undefined) countRow(row);
      return row;
    },
    run: (statement) => {
      count.queries++;
      return queries.run(statement);
    },
  });
  const through = (transactional: Transactional): Transactional => ({
    ...counting(transactional),
    transaction: (work) => {
      count.transactions++;
      return transactional.transaction((tx) =>
        work({
          ...counting(tx),
          notify(...told) {
            count.notices++;
            tx.notify(...told);
          },
        }),
      );
    },
  });
  const { engine, close } = database;
  const listen: Database['listen'] = (channel, wake, options) =>
    database.listen(
      channel,
      (detail) => {
        count.wakes++;
        wake(detail);
      },
      options,
    );
  return {
    database: {
      engine,
      listen,
      close,
      ...through(database),
      relaxed: through(database.relaxed),
    },
    count,
  };
}
