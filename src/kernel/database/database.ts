import { DomainError } from '../model/domain-error.ts';
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
 * A transaction: all of it is committed when `Transactional.transaction` resolves, or none of it
 * happened. After a failed statement the whole transaction fails, even if the error was caught.
 */
export type Transaction = Queries & {
  /**
   * Wakes the listeners of a channel in every process once this transaction has committed, and passes
   * them the detail, which must be shorter than 8,000 bytes.
   */
  notify(channel: string, detail?: string): void;
};

/** Queries, each a transaction by itself, and transactions of several queries. */
export type Transactional = Queries & {
  /**
   * Runs `work` in one transaction and resolves after the commit. `work` may await only its own
   * queries: on the embedded engine there is one writer, and it waits for `work`. `work` must have
   * no other effects: on PostgreSQL it runs again after a deadlock, or after the process stalled for
   * so long that the server released its locks. Transactions there are READ COMMITTED: guard a
   * change by the condition of its `WHERE`, not by an earlier read.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
};

export type TransactionOptions = {
  /** Milliseconds that each statement may take, if it needs more than the store's default. */
  readonly patienceMs?: number;
};

/**
 * The store, on one of two engines: an embedded SQLite file or PostgreSQL. Statements are plain SQL
 * that both accept; {@link Dialect} holds the parts that differ.
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
   * The same rows, for writes that may be lost because they would only be made again: these do not
   * wait for the disk. They are visible at once and survive this process. If the machine or the
   * database server crashes, the latest of them are lost, but none that an acknowledged write
   * followed.
   */
  readonly relaxed: Transactional;
  /**
   * Calls `wake` after each committed `notify` on the channel, perhaps once for several with the same
   * detail. Also calls it once without a detail after a lost connection is restored, since
   * notifications may have been missed meanwhile.
   */
  listen(channel: string, wake: Wake, options?: ListenOptions): Promise<Unlisten>;
  /** Waits for running queries, then closes. */
  close(): Promise<void>;
};

/** Called when something happened, with the detail that the notifier gave. */
export type Wake = (detail?: string) => void;

export type ListenOptions = {
  /**
   * Nobody else listens on this channel. Its notifications are then delivered within the process after the
   * commit, and cost the server nothing.
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
  /** The time of the database server, in milliseconds since the epoch; absent where this process is the server. */
  readonly time?: Sql;
  /** Column type of an ever-growing integer key that the engine assigns. */
  readonly identity: string;
  /** Column type of text that is sorted or compared by size: by code points, in no language. */
  readonly sortedText: string;
};

type DatabaseErrorCode =
  /** A row with this unique key is there already. */
  | 'UNIQUE_VIOLATION'
  /** Transactions conflicted several times; nothing was written. */
  | 'CONFLICT'
  /** The database cannot be reached or cannot write; whether a write happened is not known. */
  | 'UNAVAILABLE'
  /** The caller left before its turn came; nothing was done. */
  | 'ABANDONED'
  /** Another process holds the embedded file. */
  | 'IN_USE'
  /** The schema in the database does not match the migrations of this program. */
  | 'MIGRATION_REFUSED'
  /** The program broke a rule of the port. */
  | 'MISUSED'
  /** The engine refused a statement for any other reason. */
  | 'STATEMENT_REFUSED';

/** What can go wrong between this program and its database. Messages hold no values of rows. */
export class DatabaseError extends DomainError<DatabaseErrorCode> {}

/** Whether the error says that the disk of the database is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof DatabaseError && error.details?.isDiskFull === true;
}

/** Whether the error says that a row with this unique key is there already. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === 'UNIQUE_VIOLATION';
}
