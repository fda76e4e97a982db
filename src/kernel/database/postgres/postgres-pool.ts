import type { PoolClient, PoolConfig } from 'pg';
import { callerHasLeft } from '../../cancel/presence.ts';
import type { Deadlines } from '../../time/deadlines.ts';
import type { Row } from '../database.ts';
import { DatabaseError } from '../database-error.ts';
import { isReadOnlySession, toPostgresError } from './postgres-error.ts';
import type { PostgresQuery } from './postgres-query.ts';

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

export type PostgresPoolOptions = {
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
