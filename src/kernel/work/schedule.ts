import type { Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';

type ScheduledWork = {
  /** Names the worker that does it, such as `events.renew-subscription`. */
  readonly kind: string;
  /** Names the work among its kind: there is at most one of each. */
  readonly key: string;
  /** Anything that JSON can hold. */
  readonly payload: unknown;
  readonly dueAt: number;
};

/**
 * Schedules work, which is done at its time, at least once, if the transaction commits. Scheduling
 * the same kind and key again replaces payload and time. If the earlier work is running, it finishes
 * first and the new work follows, so work can reschedule itself.
 */
export async function scheduleWork(tx: Transaction, work: ScheduledWork): Promise<void> {
  const { kind, key, dueAt } = work;
  const payload = JSON.stringify(work.payload ?? null);
  await tx.run(sql`
    INSERT INTO scheduled_work (kind, key, payload, due_at)
    VALUES (${kind}, ${key}, ${payload}, ${dueAt})
    ON CONFLICT (kind, key) DO UPDATE SET payload = excluded.payload, due_at = excluded.due_at,
      attempts = 0, revision = scheduled_work.revision + 1`);
  tx.notify(scheduleChannel(kind));
}

/** Takes work off the schedule and returns whether it was there. Work being done is not stopped. */
export async function cancelWork(
  tx: Transaction,
  { kind, key }: Pick<ScheduledWork, 'kind' | 'key'>,
): Promise<boolean> {
  return (await tx.run(sql`DELETE FROM scheduled_work WHERE kind = ${kind} AND key = ${key}`)) > 0;
}

/** The channel on which the workers of a kind are woken. */
export function scheduleChannel(kind: string): string {
  return `schedule.${kind}`;
}
