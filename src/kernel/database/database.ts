import type { Sql, SqlValue } from './sql.ts';

export type Row = Record<string, SqlValue>;

/** What can be asked of the database, inside a transaction and outside of one. */
export type Queries = {
  /** Every row of the answer. The row type is asserted by the store that wrote the statement. */
  all<T extends Row>(statement: Sql): Promise<T[]>;
  /** The first row of the answer, if there is one. */
  first<T extends Row>(statement: Sql): Promise<T | undefined>;
  /** Runs a statement for its effect and answers how many rows it changed. */
  run(statement: Sql): Promise<number>;
};

/** A transaction: all of it is durable once `Database.transaction` resolves, or none of it happened. */
export type Transaction = Queries & {
  /** Wakes the listeners of a channel, in every process, once this transaction has committed. */
  notify(channel: string): Promise<void>;
};

/**
 * The store, on one of two engines: an embedded SQLite file or PostgreSQL. Statements are plain SQL
 * that both accept; what they cannot agree on is named in {@link Dialect}.
 *
 * Guarantees, proved for both engines by `database.contract.ts`: a resolved write is on disk;
 * readers outside a transaction never see uncommitted rows; a failed transaction leaves nothing.
 */
export type Database = Queries & {
  readonly engine: 'sqlite' | 'postgres';
  readonly dialect: Dialect;
  /**
   * Runs `work` in one transaction and resolves after it is durable. `work` may await only its own
   * queries: on the embedded engine there is one writer, and it waits for `work`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Calls `wake` after each committed `notify` on the channel, perhaps once for several. */
  listen(channel: string, wake: () => void): Promise<Unlisten>;
  /** Waits for running writes, then closes. */
  close(): Promise<void>;
};

export type Unlisten = () => Promise<void>;

/** The few words that differ between the engines. */
export type Dialect = {
  /** Ends a `SELECT` that claims rows: others skip them instead of waiting. */
  readonly skipLocked: Sql;
  /** Column type of an ever-growing integer key that the engine assigns. */
  readonly identity: string;
};
