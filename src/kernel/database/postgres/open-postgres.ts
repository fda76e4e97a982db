import { type Random, systemRandom } from '../../model/random.ts';
import { createBag } from '../../wait/bag.ts';
import { type Clock, systemClock } from '../../wait/clock.ts';
import { createDeadlines } from '../../wait/deadline.ts';
import {
  type Database,
  DatabaseError,
  type Dialect,
  type Queries,
  type Row,
  type Transaction,
  type Transactional,
  type TransactionOptions,
} from '../database.ts';
import { type Sql, sql } from '../sql.ts';
import { createTransactionGuard, type TransactionGuard } from '../transaction-guard.ts';
import { createPostgresListener, type PostgresListener } from './postgres-listener.ts';
import {
  type Ask,
  createPostgresPool,
  createPostgresQueries,
  type PostgresAnswer,
  type PostgresPool,
  type PostgresQuery,
  postgresTypes,
  toPostgresError,
} from './postgres-pool.ts';

export type OpenPostgresOptions = {
  /** `postgres://user:password@host:port/database?sslmode=…` */
  readonly url: string;
  /** How many connections this process may hold, besides the one that listens and two for relaxed writes. */
  readonly maxConnections?: number;
  /** Milliseconds within which the server answers a statement; a connection that is silent for longer is given up. */
  readonly patienceMs?: number | undefined;
  readonly clock?: Clock;
  readonly random?: Random;
  /** The driver: `pg` unless given. */
  readonly driver?: Pick<typeof import('pg'), 'Pool' | 'Client'>;
};

const dialect: Dialect = {
  skipLocked: sql`FOR UPDATE SKIP LOCKED`,
  forUpdate: sql`FOR UPDATE`,
  time: sql`CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`,
  lock: (name) => sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`,
  identity: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  sortedText: 'TEXT COLLATE "C"',
};

/** The server may abort both sides of a deadlock; a random pause keeps them from colliding again. */
const attemptsAtTransaction = 5;
const deadlockPause = 50;

/** One for claiming work and one for recording what was done. */
const relaxedConnections = 2;

/** The server cancels a statement a little before our own deadline, so that a slow one costs no connection. */
const shareForServer = 0.9;

/** Half of the timeout: a caller waits for a connection first, and then for the answer over it. */
const shareForConnecting = 0.5;

/**
 * Milliseconds after which the server ends a transaction that sends nothing and releases its locks: its
 * process hangs, and may block others for 3 s at most (D2). A wait for a lock takes longer only if several
 * wait for it.
 */
const idleInTransaction = 2_500;
const lockPatience = 5_000;

/**
 * Opens PostgreSQL through a pool of connections, and proves with one query that it answers. The
 * driver is loaded here, so that a process on the embedded engine does without it.
 *
 * Queries on a lost connection fail with `UNAVAILABLE` and are not retried, since their outcome is not
 * known. A connection that is silent for longer than `patienceMs` counts as lost and is destroyed. So are
 * all idle ones, since whatever dropped its packets drops theirs too. A transaction that deadlocked, or
 * that the server ended because this process stalled in it, is known not to have happened and runs again.
 * The URL must lead to the server itself or to a pooler in session mode: notifications need a session.
 */
export async function openPostgres(options: OpenPostgresOptions): Promise<Database> {
  const { url, maxConnections = 10, patienceMs = 10_000 } = options;
  const { clock = systemClock, random = systemRandom } = options;
  const driver = options.driver ?? (await import('pg'));
  const deadlines = createDeadlines(clock);
  const config = connectionConfig(url, patienceMs);
  const openPool = (max: number, synchronousCommit: 'on' | 'off') =>
    createPostgresPool({
      driver,
      config: { ...config, max },
      // Overrides the server's own setting: a resolved write of this pool must be on disk, or need not be.
      greeting: `SET synchronous_commit = ${synchronousCommit}`,
      deadlines,
      patienceMs,
      onLoss() {
        for (const { cutIdle } of [pool, relaxedPool]) cutIdle();
      },
    });
  const pool = openPool(maxConnections, 'on');
  const relaxedPool = openPool(relaxedConnections, 'off');
  const listener = createPostgresListener({
    createClient: () => new driver.Client(config),
    clock,
    deadlines,
    patienceMs: patienceMs * shareForConnecting,
  });
  const toQuery = createPostgresQueries();
  const guard = createTransactionGuard();
  const running = createRunning(guard);
  const through = (pool: PostgresPool): Transactional => ({
    ...queriesOn((statement) => running.track(() => pool.use((ask) => ask(toQuery(statement))))),
    async transaction(work, options = {}) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await running.track(() =>
            pool.use((ask) => runTransaction({ ask, toQuery, guard, listener, work, options })),
          );
        } catch (error) {
          const isDeadlock = error instanceof DatabaseError && error.code === 'CONFLICT';
          if (!isDeadlock || attempt === attemptsAtTransaction) throw error;
          await clock.sleep(random.fraction() * deadlockPause * 2 ** attempt);
        }
      }
    },
  });
  const durable = through(pool);
  await durable.all(sql`SELECT 1`).catch(async (error) => {
    await pool.end();
    throw error;
  });

  return {
    engine: 'postgres',
    ...durable,
    relaxed: through(relaxedPool),
    listen: (channel, wake, options) =>
      listener.listen(channel, wake, options).catch((error) => {
        throw toPostgresError(error);
      }),
    async close() {
      if (!(await running.end())) return;
      await listener.close();
      await Promise.all([pool.end(), relaxedPool.end()]);
    },
  };
}

/** Tracks running queries, so that closing waits for them: a pool that ends drops those without a connection. */
function createRunning(guard: TransactionGuard) {
  const running = createBag<Promise<unknown>>();
  let isClosed = false;
  return {
    async track<T>(ask: () => Promise<T>): Promise<T> {
      guard.refuseInside();
      if (isClosed)
        throw new DatabaseError('MISUSED', 'The database was used after it was closed.');
      const asked = ask();
      const held = running.add(asked);
      try {
        return await asked;
      } finally {
        running.delete(held);
      }
    },
    /** Refuses new queries and waits for the running ones. Returns false if it had already ended. */
    async end(): Promise<boolean> {
      if (isClosed) return false;
      isClosed = true;
      await Promise.allSettled(running.all().map(({ item }) => item));
      return true;
    },
  };
}

/** The settings of every connection, including the timeouts that the server enforces. */
function connectionConfig(url: string, patienceMs: number) {
  return {
    connectionString: url,
    application_name: 'tradewind',
    connectionTimeoutMillis: patienceMs * shareForConnecting,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idle_in_transaction_session_timeout: idleInTransaction,
    statement_timeout: patienceMs * shareForServer,
    lock_timeout: lockPatience,
    pipeline: true,
    types: postgresTypes,
  };
}

async function runTransaction<T>(given: {
  ask: Ask;
  toQuery: (statement: Sql) => PostgresQuery;
  guard: TransactionGuard;
  listener: Pick<PostgresListener, 'isOwn' | 'wake'>;
  work: (tx: Transaction) => Promise<T>;
  options: TransactionOptions;
}): Promise<T> {
  const { ask, toQuery, guard, listener, work, options } = given;
  try {
    // Awaited, though it could be pipelined with the first query: after a failed BEGIN that query
    // would be a transaction of its own.
    await ask('BEGIN ISOLATION LEVEL READ COMMITTED');
    const queries = queriesOn((statement) => ask(toQuery(statement), options.patienceMs));
    const { value, notices } = await guard.run(queries, work);
    const notifications = [...notices].flatMap(([channel, details]) =>
      [...details].map((detail) => ({ channel, detail })),
    );
    const [own, others] = [true, false].map((isOwn) =>
      notifications.filter(({ channel }) => listener.isOwn(channel) === isOwn),
    );
    await commit(ask, others ?? []);
    for (const { channel, detail } of own ?? []) listener.wake(channel, detail);
    return value;
  } catch (error) {
    // If this fails too, the connection is dropped, and the server rolls back.
    await ask('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function commit(
  ask: Ask,
  notifications: readonly { readonly channel: string; readonly detail: string }[],
): Promise<void> {
  const notified = notifications.map(({ channel, detail }) =>
    ask({ name: 'tradewind_notify', text: 'SELECT pg_notify($1, $2)', values: [channel, detail] }),
  );
  const [{ command }] = await Promise.all([ask('COMMIT'), ...notified]);
  // The server answers the commit of a failed transaction with a rollback, and with no error.
  if (command !== 'COMMIT') {
    throw new DatabaseError('UNAVAILABLE', `PostgreSQL answered a commit with ${command}.`);
  }
}

/** The caller asserts the type of the row it asked for, hence the casts. */
function queriesOn(ask: (statement: Sql) => Promise<PostgresAnswer>): Queries {
  return {
    dialect,
    all: async <T extends Row>(statement: Sql) => (await ask(statement)).rows as T[],
    first: async <T extends Row>(statement: Sql) => (await ask(statement)).rows[0] as T | undefined,
    run: async (statement) => (await ask(statement)).rowCount ?? 0,
  };
}
