import type { Database, Queries } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { drawText, type Random } from '../model/random.ts';
import { patienceWithWorker, type Worker } from '../process/worker.ts';
import { linkSignals } from '../wait/cancel.ts';
import type { Clock } from '../wait/clock.ts';

type LeasedWorkerOptions = {
  readonly name: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  /** Runs while the lease is ours and stops when the signal fires. */
  work(signal: AbortSignal): Promise<void>;
  /** Called for each failure; the work begins again after a pause. */
  readonly onFailure: (error: unknown) => void;
};

const pauseMs = 1_000;
/** Longer after a failure, so that another process that can do the work finds the lease free. */
const failurePauseMs = 5_000;

/** A worker that runs in one process at a time; another process takes over when the lease ends. */
export function createLeasedWorker(options: LeasedWorkerOptions): Worker {
  const { name, database, clock, random, work, onFailure } = options;
  const lease = { name, owner: drawText(random, 12) };
  const take = () =>
    takeLease(database, lease, { now: clock.now(), until: clock.now() + leaseLength });

  return {
    name,
    movesWithin: patienceWithWorker,
    async run(signal, move = () => {}) {
      const renew = async () => {
        const isOurs = await take();
        move();
        return isOurs;
      };
      while (!signal.aborted) {
        let pause = pauseMs;
        try {
          if (await renew()) {
            await withLease({ clock, renewEvery: leaseLength / 3, renew, signal }, work);
          }
        } catch (error) {
          if (signal.aborted) break;
          onFailure(error);
          await releaseLease(database, lease).catch(onFailure);
          pause = failurePauseMs;
        }
        await clock.sleep(pause, signal);
      }
      await releaseLease(database, lease).catch(onFailure);
    },
  };
}

type LeaseOptions = {
  readonly clock: Clock;
  /** How often the lease is renewed: a third of its length leaves room for a failed attempt. */
  readonly renewEvery: number;
  /** Extends the lease and returns whether it is still ours. */
  renew(): Promise<boolean>;
  readonly signal: AbortSignal;
};

/**
 * Runs `work` while a lease is kept alive. The signal given to `work` fires when the outer one does
 * or when the lease is found lost. An error while renewing is not a loss: the next attempt decides.
 */
export async function withLease<T>(
  options: LeaseOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clock, renewEvery, renew, signal } = options;
  const over = new AbortController();
  const held = linkSignals(signal);

  const keep = async () => {
    for (;;) {
      await clock.sleep(renewEvery, over.signal);
      if (over.signal.aborted) return;
      if (!(await renew().catch(() => true))) return held.abort();
    }
  };
  const keeping = keep();
  try {
    return await work(held.signal);
  } finally {
    over.abort();
    held.release();
    await keeping;
  }
}

/** What is held, such as `swap-source`, and by whom. */
type Lease = { readonly name: string; readonly owner: string };

/** Takes or extends the lease and returns whether it is ours. */
async function takeLease(
  database: Database,
  { name, owner }: Lease,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  // The embedded file has one process, so an earlier holder of the lease is gone.
  const isFree = database.engine === 'sqlite' ? sql`1 = 1` : sql`leases.lease_until <= ${now}`;
  const taken = await database.run(sql`
    INSERT INTO leases (name, owner, lease_until) VALUES (${name}, ${owner}, ${until})
    ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
    WHERE leases.owner = excluded.owner OR ${isFree}`);
  return taken === 1;
}

/** Releases the lease, unless another process holds it by now. */
async function releaseLease(queries: Queries, { name, owner }: Lease): Promise<void> {
  await queries.run(sql`DELETE FROM leases WHERE name = ${name} AND owner = ${owner}`);
}

/**
 * Milliseconds for which work stays with a process that no longer answers. The process renews its lease every third
 * of that time, and others look for expired leases every two or three seconds: they take over the work of a dead
 * process within ten seconds (T11).
 */
export const leaseLength = 6_000;
