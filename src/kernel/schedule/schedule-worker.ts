import type { Database } from '../database/database.ts';
import { leaseLength } from '../lease/lease-length.ts';
import { withLease } from '../lease/with-lease.ts';
import { createAlarm } from '../lifecycle/alarm.ts';
import { patienceWithWorker, type Worker } from '../lifecycle/worker.ts';
import { drawText } from '../random/draw-text.ts';
import type { Random } from '../random/random.ts';
import { backoffDelay } from '../time/backoff.ts';
import type { Clock } from '../time/clock.ts';
import {
  type ClaimedWork,
  claimDueWork,
  completeWork,
  nextWorkDueAt,
  postponeWork,
  putWorkBack,
  releaseAbandonedWork,
  renewWork,
} from './schedule-store.ts';
import { scheduleChannel } from './schedule-work.ts';

/** Work whose time has come. */
export type DueWork = Pick<ClaimedWork, 'key' | 'payload' | 'dueAt' | 'attempts'>;

export type ScheduleWorkerOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly kind: string;
  /** Does the work. It may be called again for work that it has done, so it must be idempotent. */
  handle(work: DueWork, signal: AbortSignal): Promise<void>;
  /** How many of this kind are done at once in this process. */
  readonly concurrency?: number;
  /** Called for each failure; the worker goes on and retries by itself. */
  readonly onFailure?: (failure: ScheduleFailure) => void;
};

/** Work that failed, or (with no work) a database that did not answer. */
export type ScheduleFailure = {
  readonly kind: string;
  readonly error: unknown;
  readonly work?: DueWork;
};

/** The longest delay until work of a dead holder, or of a lost notification, is found. */
const longestSleep = 3_000;
const databasePause = 1_000;

/**
 * The worker that does one kind of scheduled work when it is due, at least once. It sleeps until the
 * next due time or until something is scheduled. Failed work is retried with backoff. Several
 * processes may run such a worker on the same database: each claims work by a lease, and takes over
 * the work of a dead process when its lease has ended.
 */
export function createScheduleWorker(options: ScheduleWorkerOptions): Worker {
  const { database, clock, random, kind, handle, concurrency = 16 } = options;
  const onFailure = options.onFailure ?? (() => {});
  const alarm = createAlarm(clock);
  const running = new Set<Promise<void>>();

  const doWork = async (work: ClaimedWork, signal: AbortSignal): Promise<void> => {
    const renew = () => renewWork(database, work, clock.now() + leaseLength);
    try {
      await withLease({ clock, renewEvery: leaseLength / 3, renew, signal }, (leased) =>
        handle(work, leased),
      );
    } catch (error) {
      if (signal.aborted) return putWorkBack(database, work);
      onFailure({ kind, error, work });
      const { attempts } = work;
      const delay = backoffDelay({ attempts, fraction: random.fraction() });
      return postponeWork(database, work, clock.now() + delay);
    }
    await completeWork(database, work);
  };

  const start = (work: ClaimedWork, signal: AbortSignal): void => {
    const doing = doWork(work, signal)
      // The outcome could not be written: the lease will end and the work be done again.
      .catch((error) => onFailure({ kind, error }))
      .finally(() => {
        running.delete(doing);
        alarm.ring();
      });
    running.add(doing);
  };

  const startDue = async (signal: AbortSignal): Promise<void> => {
    const limit = concurrency - running.size;
    const now = clock.now();
    const latest = now + longestSleep;
    if (limit === 0) {
      await alarm.sleep(longestSleep, signal);
      return;
    }
    const owner = drawText(random, 12);
    const claimed = await claimDueWork(database, {
      kind,
      owner,
      now,
      leaseUntil: now + leaseLength,
      limit,
    });
    for (const work of claimed) start(work, signal);
    if (claimed.length === limit) return;
    // Counted from the moment of the claim, so that the sleep does not miss what became due since.
    const dueAt = (await nextWorkDueAt(database, kind, now)) ?? latest;
    await alarm.sleep(Math.min(dueAt, latest) - clock.now(), signal);
  };

  return {
    name: `schedule-${kind}`,
    movesWithin: patienceWithWorker,
    async run(signal, move = () => {}) {
      await releaseAbandonedWork(database, kind);
      const unlisten = await database.listen(scheduleChannel(kind), alarm.ring);
      while (!signal.aborted) {
        try {
          await startDue(signal);
          move();
        } catch (error) {
          onFailure({ kind, error });
          await clock.sleep(databasePause, signal);
        }
      }
      await Promise.all(running);
      await unlisten();
    },
  };
}
