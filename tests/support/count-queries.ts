import type { Database, Queries, Transactional } from '../../src/kernel/database/database.ts';

/** What was asked of a database so far. */
export type QueryCount = { queries: number; transactions: number; notices: number; wakes: number };

/** A database that counts what is asked of it, and the wakes of who listens; a transaction counts beside its queries. */
export function countQueries(database: Database): { database: Database; count: QueryCount } {
  const count: QueryCount = { queries: 0, transactions: 0, notices: 0, wakes: 0 };
  const counting = (queries: Queries): Queries => ({
    dialect: queries.dialect,
    all: (statement) => {
      count.queries++;
      return queries.all(statement);
    },
    first: (statement) => {
      count.queries++;
      return queries.first(statement);
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
