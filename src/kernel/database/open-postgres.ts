import type { ClientBase, Pool } from 'pg';
import { type Clock, systemClock } from '../clock.ts';
import { type Random, systemRandom } from '../random.ts';
import type { Database, Dialect, Queries, Row, Transaction, Transactional } from './database.ts';
import { DatabaseError } from './database-error.ts';
import { toPostgresError } from './postgres-error.ts';
import { createPostgresListener } from './postgres-listener.ts';
import { createPostgresQueries, type PostgresQuery, postgresTypes } from './postgres-query.ts';
import { type Sql, sql } from './sql.ts';
import { createTransactionGuard, type TransactionGuard, type Worked } from './transaction-guard.ts';

export type OpenPostgresOptions = {
  /** `postgres://user:password@host:port/database?sslmode=…` */
  readonly url: string;
  /** How many connections this process may hold, beside the one that listens and two for what is relaxed. */
  readonly maxConnections?: number;
  readonly clock?: Clock;
  readonly random?: Random;
};

const dialect: Dialect = {
  skipLocked: sql`FOR UPDATE SKIP LOCKED`,
  forUpdate: sql`FOR UPDATE`,
  lock: (name) => sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`,
  identity: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  sortedText: 'TEXT COLLATE "C"',
};

/** The server may end both of two that deadlock; chance keeps them from meeting again and again. */
const attemptsAtTransaction = 5;
const deadlockPause = 50;

/** One for those who take work and one for those who write down what was done. */
const relaxedConnections = 2;

/**
 * Opens PostgreSQL through a pool of connections, and proves with one query that it answers. The
 * driver is loaded here, so that a process on the embedded engine does without it.
 *
 * A lost connection fails the queries on it with `UNAVAILABLE`; nothing is tried again, since the
 * outcome is not known. A deadlocked transaction is known not to have happened and runs again. The
 * URL must lead to the server itself or to a pooler in session mode: notifications need a session.
 */
export async function openPostgres(options: OpenPostgresOptions): Promise<Database> {
  const { url, maxConnections = 10, clock = systemClock, random = systemRandom } = options;
  const driver = await import('pg');
  const connecting = {
    connectionString: url,
    application_name: 'tradewind',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A process that hangs inside a transaction must not hold its rows for ever.
    idle_in_transaction_session_timeout: 30_000,
    statement_timeout: 30_000,
    pipeline: true,
    types: postgresTypes,
  };
  const openPool = (max: number, synchronousCommit: 'on' | 'off') => {
    const pool = new driver.Pool({ ...connecting, max });
    // Queries on a lost connection fail by themselves, and the pool replaces it.
    pool.on('error', () => {});
    pool.on('connect', (client) => {
      client.on('error', () => {});
      // Whatever the server's own setting is: a resolved write is on disk, or need not be.
      client.query(`SET synchronous_commit = ${synchronousCommit}`).catch(() => {});
    });
    return pool;
  };
  const pool = openPool(maxConnections, 'on');
  const relaxedPool = openPool(relaxedConnections, 'off');
  const listener = createPostgresListener(() => new driver.Client(connecting), clock);
  const toQuery = createPostgresQueries();
  const guard = createTransactionGuard();

  const running = new Set<Promise<unknown>>();
  let isClosed = false;

  /** The pool forgets those who wait for a connection when it ends, so closing waits for them. */
  const track = async <T>(ask: () => Promise<T>): Promise<T> => {
    guard.refuseInside();
    if (isClosed) throw new DatabaseError('MISUSED', 'The database was used after it was closed.');
    const asked = ask();
    running.add(asked);
    try {
      return await asked;
    } finally {
      running.delete(asked);
    }
  };
  const through = (pool: Pool): Transactional => ({
    ...queriesOn((statement) => track(() => pool.query<Row>(toQuery(statement)))),
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await track(() => runTransaction({ pool, toQuery, guard, work }));
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
    dialect,
    ...durable,
    relaxed: through(relaxedPool),
    listen: (channel, wake) => listener.listen(channel, wake).catch(rethrow),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await Promise.allSettled(running);
      await listener.close();
      await Promise.all([pool.end(), relaxedPool.end()]);
    },
  };
}

async function runTransaction<T>(options: {
  pool: Pool;
  toQuery: (statement: Sql) => PostgresQuery;
  guard: TransactionGuard;
  work: (tx: Transaction) => Promise<T>;
}): Promise<T> {
  const { pool, toQuery, guard, work } = options;
  const client = await pool.connect().catch(rethrow);
  try {
    // Awaited, though it could travel with the first query: a query behind a BEGIN that failed
    // would be a transaction of its own.
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED').catch(rethrow);
    const queries = queriesOn((statement) => client.query<Row>(toQuery(statement)));
    const { value, notices } = await guard.run(queries, work);
    await commit(client, notices).catch(rethrow);
    client.release();
    return value;
  } catch (error) {
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}

async function commit(client: ClientBase, notices: Worked<unknown>['notices']): Promise<void> {
  const notified = [...notices].flatMap(([channel, details]) =>
    [...details].map((detail) => client.query('SELECT pg_notify($1, $2)', [channel, detail])),
  );
  const [{ command }] = await Promise.all([client.query('COMMIT'), ...notified]);
  // The server answers the commit of a failed transaction with a rollback, and with no error.
  if (command !== 'COMMIT') {
    throw new DatabaseError('UNAVAILABLE', `PostgreSQL answered a commit with ${command}.`);
  }
}

/** The caller asserts the type of the row it asked for, hence the casts. */
function queriesOn(ask: (statement: Sql) => Promise<Answer>): Queries {
  const answer = async (statement: Sql) => {
    try {
      return await ask(statement);
    } catch (error) {
      throw toPostgresError(error);
    }
  };
  return {
    all: async <T extends Row>(statement: Sql) => (await answer(statement)).rows as T[],
    first: async <T extends Row>(statement: Sql) =>
      (await answer(statement)).rows[0] as T | undefined,
    run: async (statement) => (await answer(statement)).rowCount ?? 0,
  };
}

type Answer = { readonly rows: Row[]; readonly rowCount: number | null };

function rethrow(error: unknown): never {
  throw toPostgresError(error);
}
