import type { Sql, SqlValue } from './sql.ts';

export type Row = Record<string, SqlValue>;

/** What can be asked of the database, inside a transaction and outside of one. */
export type Queries = {
  readonly dialect: Dialect;
  /** Every row of the answer. The row type is asserted by the store that wrote the statement. */
  all<T extends Row>(statement: Sql): Promise<T[]>;
  /** The first row of the answer, if there is one. */
  first<T extends Row>(statement: Sql): Promise<T | undefined>;
  /** Runs an insert, update or delete and returns how many rows it changed. */
  run(statement: Sql): Promise<number>;
};

/**
 * A transaction: all of it is kept once `Transactional.transaction` resolves, or none of it happened.
 * Once one of its statements has failed it can only fail, even if the error was caught.
 */
export type Transaction = Queries & {
  /**
   * Wakes the listeners of a channel, in every process, once this transaction has committed, and hands
   * them the detail, which is shorter than 8,000 bytes.
   */
  notify(channel: string, detail?: string): void;
};

/** Queries that are each a transaction by themselves, and transactions of several. */
export type Transactional = Queries & {
  /**
   * Runs `work` in one transaction and resolves after it is kept. `work` may await only its own
   * queries: on the embedded engine there is one writer, and it waits for `work`. It has no other
   * effects, for on PostgreSQL it runs again after a deadlock, or when the process stood still in it
   * for so long that the server gave its locks to others. There, transactions are READ COMMITTED:
   * guard a change by the condition of its `WHERE`, not by an earlier read.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
};

export type TransactionOptions = {
  /** Milliseconds that each statement may take, where that is longer than what the store gives to all. */
  readonly patienceMs?: number;
};

/**
 * The store, on one of two engines: an embedded SQLite file or PostgreSQL. Statements are plain SQL
 * that both accept; what they cannot agree on is named in {@link Dialect}.
 *
 * Guarantees, proved for both engines by `database.contract.ts`: a resolved write is on disk;
 * readers outside a transaction never see uncommitted rows; a failed transaction leaves nothing.
 * Integers answer as numbers and those beyond 2^53 are refused, booleans answer as 0 and 1. A value
 * that stands alone in a select list has no type: write `CAST(${value} AS BIGINT)`.
 *
 * Failures are a `DatabaseError`. One with code `UNAVAILABLE` leaves open whether a write happened.
 */
export type Database = Transactional & {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * The same rows for writes that may be lost, because they would only be made again: they do not wait
   * for the disk. They are seen at once and survive this process; the latest of them, and never one
   * that an acknowledged write came after, are gone when the machine or the database server crashes.
   */
  readonly relaxed: Transactional;
  /**
   * Calls `wake` after each committed `notify` on the channel, perhaps once for several with the same
   * detail, and once without any after a lost connection is back, since notifications may have been
   * missed meanwhile.
   */
  listen(channel: string, wake: Wake, options?: ListenOptions): Promise<Unlisten>;
  /** Waits for running queries, then closes. */
  close(): Promise<void>;
};

/** Called when something happened, with the detail that the notifier gave. */
export type Wake = (detail?: string) => void;

export type ListenOptions = {
  /**
   * Nobody else listens on this channel. What this process notifies on it is then handed over within the process,
   * once it is committed, and costs the server nothing.
   */
  readonly isOwn?: boolean;
};

export type Unlisten = () => Promise<void>;

/** The few words that differ between the engines. */
export type Dialect = {
  /** Ends a `SELECT` that claims rows: others skip them instead of waiting. */
  readonly skipLocked: Sql;
  /** Ends a `SELECT` whose rows the transaction goes on to change: others wait for its end. */
  readonly forUpdate: Sql;
  /** A statement that waits for the lock of this name and holds it until the transaction ends. */
  lock(name: string): Sql;
  /** What the clock of the database server says, in milliseconds since the epoch; absent where this process is the server. */
  readonly time?: Sql;
  /** Column type of an ever-growing integer key that the engine assigns. */
  readonly identity: string;
  /** Column type of text that is sorted or compared by size: by code points, in no language. */
  readonly sortedText: string;
};
