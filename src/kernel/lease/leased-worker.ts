import type { Database } from '../database/database.ts';
import { patienceWithWorker, type Worker } from '../lifecycle/worker.ts';
import { drawText } from '../random/draw-text.ts';
import type { Random } from '../random/random.ts';
import type { Clock } from '../time/clock.ts';
import { leaseLength } from './lease-length.ts';
import { releaseLease, takeLease } from './lease-store.ts';
import { withLease } from './with-lease.ts';

export type LeasedWorkerOptions = {
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
