import type { Database } from '../database/database.ts';
import { drawText, type Random } from '../model/random.ts';
import { patienceWithWorker, type Worker } from '../process/worker.ts';
import { backoffDelay, createAlarm } from '../wait/alarm.ts';
import type { Clock } from '../wait/clock.ts';
import { createQueue, type Queue } from '../wait/queue.ts';
import { leaseLength, withLease } from './lease.ts';
import {
  claimWorkParts,
  type DueWork,
  finishWork,
  nextWorkDueAt,
  openWorkParts,
  readDueWork,
  renewWorkPart,
  type WorkOutcome,
  type WorkPart,
  workBatch,
  workChannel,
} from './work.ts';

/** Work that failed, or (with no work) a database that did not answer. */
export type WorkFailure = { readonly error: unknown; readonly work?: DueWork };

type WorkWorkerOptions = {
  readonly name: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly kinds: readonly string[];
  /** Further channels on which it is woken. */
  readonly channels?: readonly string[];
  /** Does the work. It may be called again for work that it has done, so it must be idempotent. */
  handle(work: DueWork, signal: AbortSignal): Promise<void>;
  /** How many pieces are done at once in this process. */
  readonly concurrency?: number;
  /** Called for each failure; the worker goes on and retries by itself. */
  readonly onFailure?: ((failure: WorkFailure) => void) | undefined;
};

/** The longest delay until work of a dead holder, or of a lost notification, is found. */
const longestSleep = 3_000;
const databasePause = 1_000;

/**
 * The worker that does work of some kinds when it is due: at least once, for each key in order, woken
 * by the transaction that added it. Failed work is retried with backoff and delays only its own key.
 *
 * Several processes may run such a worker on the same database: each part of the keys belongs to one of them at
 * a time, by a lease, and the others take it over when the lease of a dead process has ended. Their clocks
 * may differ by a small part of the lease. A larger difference does work twice, or delays a takeover.
 */
export function createWorkWorker(options: WorkWorkerOptions): Worker {
  const { name, database, clock, random, kinds, channels = [], onFailure = () => {} } = options;
  const owner = drawText(random, 12);
  const alarm = createAlarm(clock);
  const queue = createQueue(options.concurrency ?? 16);
  const lease = () => ({ owner, now: clock.now(), until: clock.now() + leaseLength });
  const running = new Set<Promise<void>>();

  /** Returns whether there may be more. */
  const workOnBatch = async (part: WorkPart, signal: AbortSignal): Promise<boolean> => {
    const batch = await readDueWork(database, part, clock.now());
    const outcome = await doBatch({ ...options, onFailure, queue }, batch, signal);
    const isReleased = batch.length < workBatch || signal.aborted;
    await finishWork(database, part, lease(), { ...outcome, isReleased });
    return !isReleased;
  };

  const workOnPart = async (part: WorkPart, signal: AbortSignal): Promise<void> => {
    const renew = () => renewWorkPart(database, part, lease());
    try {
      await withLease({ clock, renewEvery: leaseLength / 3, renew, signal }, async (leased) => {
        while (await workOnBatch(part, leased));
      });
    } catch (error) {
      onFailure({ error });
      await clock.sleep(databasePause, signal);
    }
    // What was added while the part was being given back is not claimed yet.
    alarm.ring();
  };

  const claim = async (signal: AbortSignal): Promise<WorkPart[]> => {
    const taken = lease();
    const parts = await claimWorkParts(database, kinds, taken);
    if (parts.length > 0) return parts;
    // Counted from the moment of the claim, so that the sleep does not miss what became due since.
    const latest = taken.now + longestSleep;
    const dueAt = (await nextWorkDueAt(database, kinds, taken.now)) ?? latest;
    await alarm.sleep(Math.min(dueAt, latest) - clock.now(), signal);
    return [];
  };

  return {
    name,
    movesWithin: patienceWithWorker,
    async run(signal, move = () => {}) {
      await openWorkParts(database, kinds);
      const unlistens = await Promise.all(
        [...kinds.map(workChannel), ...channels].map((channel) =>
          database.listen(channel, alarm.ring),
        ),
      );
      while (!signal.aborted) {
        try {
          for (const part of await claim(signal)) {
            const working = workOnPart(part, signal).finally(() => running.delete(working));
            running.add(working);
          }
          move();
        } catch (error) {
          onFailure({ error });
          await clock.sleep(databasePause, signal);
        }
      }
      await Promise.all(running);
      await Promise.all(unlistens.map((unlisten) => unlisten()));
    },
  };
}

/** Does the work of different keys side by side and that of one key in order: behind what failed, its key waits. */
async function doBatch(
  options: Pick<WorkWorkerOptions, 'handle' | 'clock' | 'random'> & {
    readonly queue: Queue;
    onFailure(failure: WorkFailure): void;
  },
  batch: readonly DueWork[],
  signal: AbortSignal,
): Promise<Omit<WorkOutcome, 'isReleased'>> {
  const { handle, clock, random, queue, onFailure } = options;
  const done: string[] = [];
  const failed: { id: string; retryAt: number }[] = [];

  /** Returns whether what follows may be done. */
  const doWork = async (work: DueWork): Promise<boolean> => {
    try {
      await handle(work, signal);
      done.push(work.id);
      return true;
    } catch (error) {
      // What stops because the signal fired has not failed.
      if (signal.aborted) return false;
      const { id, attempts } = work;
      const retryAt = clock.now() + backoffDelay({ attempts, fraction: random.fraction() });
      failed.push({ id, retryAt });
      onFailure({ error, work });
      return false;
    }
  };
  const doInOrder = async (works: readonly DueWork[]): Promise<void> => {
    for (const work of works) {
      if (signal.aborted || !(await queue.pass(() => doWork(work)))) return;
    }
  };
  const byKey = Map.groupBy(batch, ({ key }) => key);
  await Promise.all(Array.from(byKey.values(), doInOrder));
  return { done, failed };
}
