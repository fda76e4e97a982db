import type { PoolClient, PoolConfig } from 'pg';
import type { Deadlines } from '../../wait/deadline.ts';
import { callerHasLeft } from '../../wait/presence.ts';
import { DatabaseError, type Row } from '../database.ts';
import type { Sql, SqlValue } from '../sql.ts';

export type PostgresAnswer = {
  readonly rows: Row[];
  readonly rowCount: number | null;
  readonly command: string;
};

/** Sends one statement over a connection; `patienceMs` where it may take longer than others. */
export type Ask = (
  query: PostgresQuery | string,
  patienceMs?: number | undefined,
) => Promise<PostgresAnswer>;

export type PostgresPool = {
  /**
   * Lends a connection to `work`. A connection that leaves a statement unanswered is destroyed, and the
   * statement rejects with `UNAVAILABLE`. Rejects with `ABANDONED`, and does no work, if the caller
   * left while it waited for a connection.
   */
  use<T>(work: (ask: Ask) => Promise<T>): Promise<T>;
  /** Ends every connection; one that does not end by itself within a second is destroyed. */
  end(): Promise<void>;
};

type PostgresPoolOptions = {
  readonly driver: Pick<typeof import('pg'), 'Pool'>;
  readonly config: PoolConfig & { readonly max: number };
  /** Sent first on each connection. */
  readonly greeting: string;
  readonly deadlines: Deadlines;
  /** Milliseconds within which a statement is answered. */
  readonly patienceMs: number;
  /** Called for each connection that was destroyed because it is unusable; idle ones are then unusable too. */
  onLoss(): void;
};

/** Milliseconds for an orderly close, before the socket is destroyed. */
export const endPatience = 1_000;

/** A pool of connections to PostgreSQL. Each statement has a deadline on this side (D1, N9). */
export function createPostgresPool(
  options: PostgresPoolOptions,
): PostgresPool & { cutIdle(): void } {
  const { config, deadlines, onLoss } = options;
  const pool = new options.driver.Pool(config);
  const clients = new Set<PoolClient>();
  const idle = new Set<PoolClient>();
  /** The reason that the server gave before it closed a connection. */
  const losses = new WeakMap<PoolClient, Error>();

  // Queries on a lost connection fail by themselves, and the pool replaces it.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    clients.add(client);
    client.on('error', (error) => void losses.set(client, losses.get(client) ?? error));
    client.query(options.greeting).catch(() => {});
  });
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_, client) => idle.add(client));
  pool.on('remove', (client) => {
    clients.delete(client);
    idle.delete(client);
  });

  /** Whether all connections of the pool are open, and all of them are lent. */
  const isExhausted = () => clients.size - idle.size >= config.max;

  const giveUp = (client: PoolClient): void => {
    cut(client);
    onLoss();
  };

  const askOver = (client: PoolClient): Ask => {
    let isSilent = false;
    return async (query, patienceMs = options.patienceMs) => {
      const deadline = deadlines.add(patienceMs, () => {
        isSilent = true;
        giveUp(client);
      });
      try {
        return await client.query<Row>(query);
      } catch (error) {
        if (isSilent) throw silence(patienceMs);
        const told = toPostgresError(losses.get(client) ?? error);
        // A session keeps its read-only mode, so it would not notice when writing is allowed again.
        if (isReadOnlySession(told)) giveUp(client);
        throw told;
      } finally {
        deadlines.delete(deadline);
      }
    };
  };

  return {
    async use(work) {
      // A caller that need not wait is served even if it has left: it may be giving back what it had taken.
      const hasLeft = pool.idleCount <= pool.waitingCount ? callerHasLeft() : undefined;
      const client = await pool.connect().catch((error) => {
        throw isExhausted() ? exhausted(config) : toPostgresError(error);
      });
      try {
        if (hasLeft?.()) throw abandoned();
        return await work(askOver(client));
      } finally {
        // The pool itself drops a connection that was lost; one inside a transaction is of no use either.
        client.release(client.getTransactionStatus() !== 'I');
      }
    },
    cutIdle() {
      for (const client of idle) cut(client);
    },
    async end() {
      const late = deadlines.add(endPatience, () => {
        for (const client of clients) cut(client);
      });
      await pool.end();
      deadlines.delete(late);
    },
  };
}

/** Destroys the socket: an orderly end would wait for an answer from a server that is silent. */
export function cut({ connection }: Pick<PoolClient, 'connection'>): void {
  connection.stream.destroy();
}

function silence(patienceMs: number): DatabaseError {
  return new DatabaseError(
    'UNAVAILABLE',
    `PostgreSQL left a statement unanswered for ${patienceMs / 1_000} s, so its connection was given up: check that the server runs and that the network between carries packets both ways.`,
  );
}

function exhausted({
  max,
  connectionTimeoutMillis = 0,
}: PostgresPoolOptions['config']): DatabaseError {
  return new DatabaseError(
    'UNAVAILABLE',
    `PostgreSQL answers, but all ${max} connections of this process were at work for ${connectionTimeoutMillis / 1_000} s: see in pg_stat_activity what they wait for, give the database a faster disk or more processors, or start further processes of this server.`,
    { details: { connections: max } },
  );
}

function abandoned(): DatabaseError {
  return new DatabaseError(
    'ABANDONED',
    'The caller left while the work waited for a connection to PostgreSQL; nothing was done.',
  );
}

/** A statement as the driver takes it; one with a name is prepared once on each connection. */
export type PostgresQuery = {
  readonly name?: string;
  readonly text: string;
  readonly values: SqlValue[];
};

/** Each name takes memory in every connection of the server; texts beyond these stay unnamed. */
const statementsNamed = 500;

/** Numbers the values of statements and remembers a name for each text it has seen. */
export function createPostgresQueries(): (statement: Sql) => PostgresQuery {
  const byTemplate = new WeakMap<readonly string[], { name?: string; text: string }>();
  const names = new Map<string, string>();

  const prepare = (strings: readonly string[]) => {
    const text = strings.reduce((numbered, part, index) => `${numbered}$${index}${part}`);
    const name = names.get(text) ?? `tradewind_${names.size}`;
    if (names.size < statementsNamed) names.set(text, name);
    return names.has(text) ? { name, text } : { text };
  };

  return ({ strings, values }) => {
    const known = byTemplate.get(strings) ?? prepare(strings);
    if ('raw' in strings) byTemplate.set(strings, known);
    return { ...known, values: [...values] };
  };
}

/** Object identifiers of types that answer as numbers, from `pg_type`. */
const numberTypes = new Set([
  20 /* int8 */, 21 /* int2 */, 23 /* int4 */, 700 /* float4 */, 701 /* float8 */,
  1700 /* numeric, which sums of int8 are */,
]);
const booleanType = 16;

/** How the driver reads columns, so that rows are the same as on the embedded engine. */
export const postgresTypes = {
  getTypeParser(type: number): (text: string) => SqlValue {
    if (numberTypes.has(type)) return toNumber;
    if (type === booleanType) return (text) => (text === 't' ? 1 : 0);
    return (text) => text;
  },
};

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(text)) {
    throw new DatabaseError(
      'STATEMENT_REFUSED',
      `The integer ${text} does not fit into a number: store integers beyond 2^53 as text.`,
    );
  }
  return value;
}

/** SQLSTATEs of https://www.postgresql.org/docs/current/errcodes-appendix.html */
const diskFull = '53100';
const conflicts = new Set([
  '25P03' /* idle_in_transaction_session_timeout: rolled back, others have its locks */,
  '40001' /* serialization_failure */,
  '40P01' /* deadlock_detected */,
]);
/** Classes of errors in the server, its disk or the connection, not in the statement. */
const unavailableClasses = new Set([
  '08' /* connection exception */,
  '28' /* invalid authorization */,
  '53' /* insufficient resources, such as too many connections */,
  '57' /* operator intervention, such as a shutdown or a statement_timeout */,
  '58' /* system error, such as an I/O error */,
  'XX' /* internal error, such as a damaged page */,
]);
const unavailable = new Set([
  '25006' /* read_only_sql_transaction */,
  '3D000' /* invalid_catalog_name: the database is gone */,
  '55P03' /* lock_not_available, by lock_timeout */,
]);

/**
 * Maps an error of the driver to the code that both engines share. The original is not kept as
 * cause: its `detail` repeats the values of the row.
 */
export function toPostgresError(error: unknown): Error {
  if (error instanceof DatabaseError) return error;
  if (!(error instanceof Error)) return new Error('The driver threw no error', { cause: error });
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const details = { postgresCode: code };
  if (code === diskFull) {
    return new DatabaseError(
      'UNAVAILABLE',
      `The disk of PostgreSQL is full (${error.message}): make room on it.`,
      { details: { ...details, isDiskFull: true } },
    );
  }
  // An error without SQLSTATE is not from the server: the driver reports a lost connection.
  if (!/^[0-9A-Z]{5}$/.test(code) || isUnavailable(code)) {
    return new DatabaseError(
      'UNAVAILABLE',
      `PostgreSQL cannot be used (${error.message || code}): check that it runs, may be written, has room on its disk and connections to spare, and that the database URL is right.`,
      { details },
    );
  }
  if (code === '23505') {
    return new DatabaseError('UNIQUE_VIOLATION', `The row exists already: ${error.message}.`);
  }
  if (conflicts.has(code)) {
    return new DatabaseError('CONFLICT', `Transactions conflicted (${error.message}): try again.`, {
      details,
    });
  }
  return new DatabaseError(
    'STATEMENT_REFUSED',
    `PostgreSQL refused a statement: ${error.message}.`,
    { details },
  );
}

function isUnavailable(code: string): boolean {
  return unavailableClasses.has(code.slice(0, 2)) || unavailable.has(code);
}

/** Whether the server refuses writes in this session; a new session may write once the server is writable again. */
function isReadOnlySession(error: unknown): boolean {
  return error instanceof DatabaseError && error.details?.postgresCode === '25006';
}
