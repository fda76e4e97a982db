import type { Database, Queries } from '../database/database.ts';
import { type Sql, sql } from '../database/sql.ts';
import { drawText, type Random } from '../model/random.ts';
import { patienceWithWorker, type Worker } from '../process/worker.ts';
import { backoffDelay, createAlarm } from '../wait/alarm.ts';
import type { Clock } from '../wait/clock.ts';
import { leaseLength, withLease } from './lease.ts';
import { scheduleChannel } from './schedule.ts';

/** Work whose time has come. */
export type DueWork = Pick<ClaimedWork, 'key' | 'payload' | 'dueAt' | 'attempts'>;

type ScheduleWorkerOptions = {
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

/** Due work that we hold until the lease ends. Changes to it have no effect if the lease was lost. */
type ClaimedWork = {
  readonly kind: string;
  readonly key: string;
  readonly payload: unknown;
  readonly dueAt: number;
  /** Which attempt this is, counting from 1. */
  readonly attempts: number;
  readonly owner: string;
  readonly revision: number;
};

type ClaimOptions = {
  readonly kind: string;
  readonly owner: string;
  readonly now: number;
  readonly leaseUntil: number;
  readonly limit: number;
};

/** Releases what a dead process held; only on the embedded file, which has one process. */
async function releaseAbandonedWork(database: Database, kind: string): Promise<void> {
  if (database.engine !== 'sqlite') return;
  await database.run(
    sql`UPDATE scheduled_work SET owner = '', lease_until = 0 WHERE kind = ${kind}`,
  );
}

async function claimDueWork(
  queries: Queries,
  { kind, owner, now, leaseUntil, limit }: ClaimOptions,
): Promise<ClaimedWork[]> {
  const rows = await queries.all<ClaimedRow>(sql`
    WITH due AS MATERIALIZED (
      SELECT key FROM scheduled_work
      WHERE kind = ${kind} AND due_at <= ${now} AND lease_until <= ${now}
      ORDER BY due_at LIMIT ${limit} ${queries.dialect.skipLocked})
    UPDATE scheduled_work
    SET owner = ${owner}, lease_until = ${leaseUntil}, attempts = attempts + 1
    WHERE kind = ${kind} AND key IN (SELECT key FROM due)
    RETURNING key, payload, due_at, attempts, revision`);
  return rows.map((row) => toClaimedWork(row, { kind, owner })).sort((a, b) => a.dueAt - b.dueAt);
}

async function renewWork(
  queries: Queries,
  work: ClaimedWork,
  leaseUntil: number,
): Promise<boolean> {
  const renewed = await queries.run(
    sql`UPDATE scheduled_work SET lease_until = ${leaseUntil} WHERE ${isOurs(work)}`,
  );
  return renewed === 1;
}

/** Removes work that is done; if it was scheduled again meanwhile, the new schedule stays. */
async function completeWork(database: Database, work: ClaimedWork): Promise<void> {
  await database.transaction(async (tx) => {
    const removed = await tx.run(sql`
      DELETE FROM scheduled_work WHERE ${isOurs(work)} AND revision = ${work.revision}`);
    if (removed === 1) return;
    await tx.run(sql`UPDATE scheduled_work SET owner = '', lease_until = 0 WHERE ${isOurs(work)}`);
  });
}

/** Postpones failed work; if it was scheduled again meanwhile, that time counts. */
async function postponeWork(queries: Queries, work: ClaimedWork, dueAt: number): Promise<void> {
  await queries.run(sql`
    UPDATE scheduled_work SET owner = '', lease_until = 0,
      due_at = CASE WHEN revision = ${work.revision} THEN ${dueAt} ELSE due_at END
    WHERE ${isOurs(work)}`);
}

/** Releases work that was not done, as if it had not been claimed. */
async function putWorkBack(queries: Queries, work: ClaimedWork): Promise<void> {
  await queries.run(sql`
    UPDATE scheduled_work SET owner = '', lease_until = 0,
      attempts = CASE WHEN revision = ${work.revision} THEN attempts - 1 ELSE attempts END
    WHERE ${isOurs(work)}`);
}

async function nextWorkDueAt(
  queries: Queries,
  kind: string,
  now: number,
): Promise<number | undefined> {
  const row = await queries.first<{ due_at: number }>(sql`
    SELECT due_at FROM scheduled_work WHERE kind = ${kind} AND lease_until <= ${now}
    ORDER BY due_at LIMIT 1`);
  return row?.due_at;
}

function isOurs({ kind, key, owner }: ClaimedWork): Sql {
  return sql`kind = ${kind} AND key = ${key} AND owner = ${owner}`;
}

type ClaimedRow = {
  key: string;
  payload: string;
  due_at: number;
  attempts: number;
  revision: number;
};

function toClaimedWork(row: ClaimedRow, claim: Pick<ClaimOptions, 'kind' | 'owner'>): ClaimedWork {
  const { key, payload, due_at: dueAt, attempts, revision } = row;
  const { kind, owner } = claim;
  return { kind, key, payload: JSON.parse(payload), dueAt, attempts, revision, owner };
}
