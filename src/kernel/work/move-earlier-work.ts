import type { Database, Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { createRefresher, type RefresherOptions, type Worker } from '../process/worker.ts';
import { addWork, scheduleWork } from './work.ts';

/** The most rows of one transaction. */
const mostMoved = 500;
const pauseMs = 3_000;
/** Longer than any pause of this worker, and soon over if all processes of this version are gone. */
const heldMs = 60_000;

/**
 * The worker that moves what processes of earlier versions left, or still leave during a rolling
 * restart, in the tables they had for it: `outbox` and `scheduled_work`. It holds what was the lease on
 * the order of events, so that an earlier process hands over none beside us, and moves the rest in
 * that order. It goes with the release after the one that brought it.
 */
export function createEarlierWorkMover(
  options: Pick<RefresherOptions, 'clock' | 'onFailure'> & { readonly database: Database },
): Worker {
  const { database, clock, onFailure } = options;
  return createRefresher({
    name: 'earlier-work',
    ...{ clock, onFailure, pause: pauseMs },
    listen: (wake) => database.listen('outbox', wake),
    async refresh() {
      while (await moveEarlierWork(database, clock.now()));
    },
  });
}

/** Moves some of it and returns whether there may be more. */
export async function moveEarlierWork(database: Database, now: number): Promise<boolean> {
  const moved = await database.transaction(async (tx) => {
    await holdEarlierLanes(tx, now);
    return (await moveEvents(tx)) + (await moveScheduled(tx, now));
  });
  return moved >= mostMoved;
}

/** Takes the lanes that nobody holds any more, and keeps those that are ours. */
async function holdEarlierLanes(tx: Transaction, now: number): Promise<void> {
  await tx.run(sql`
    UPDATE outbox_lanes SET owner = 'moved', lease_until = ${now + heldMs}
    WHERE owner = 'moved' OR lease_until <= ${now}`);
}

/** Events of lanes that an earlier process still relays stay with it. */
async function moveEvents(tx: Transaction): Promise<number> {
  const rows = await tx.all<EarlierEvent>(sql`
    DELETE FROM outbox WHERE position IN (
      SELECT position FROM outbox JOIN outbox_lanes
        ON outbox_lanes.consumer = outbox.consumer AND outbox_lanes.lane = outbox.lane
      WHERE outbox_lanes.owner = 'moved' ORDER BY position LIMIT ${mostMoved})
    RETURNING position, consumer, topic, key, payload, occurred_at`);
  for (const row of rows.sort((a, b) => a.position - b.position)) {
    const { consumer: kind, topic, key, occurred_at: occurredAt } = row;
    const payload = { topic, payload: JSON.parse(row.payload), occurredAt };
    await addWork(tx, { kind, key, payload });
  }
  return rows.length;
}

/** Work that an earlier process is doing stays with it. */
async function moveScheduled(tx: Transaction, now: number): Promise<number> {
  const rows = await tx.all<EarlierWork>(sql`
    DELETE FROM scheduled_work WHERE (kind, key) IN (
      SELECT kind, key FROM scheduled_work WHERE lease_until <= ${now} LIMIT ${mostMoved})
    AND lease_until <= ${now} RETURNING kind, key, payload, due_at`);
  for (const { kind, key, payload, due_at: dueAt } of rows) {
    await scheduleWork(tx, { kind, key, payload: JSON.parse(payload), dueAt });
  }
  return rows.length;
}

type EarlierEvent = {
  readonly position: number;
  readonly consumer: string;
  readonly topic: string;
  readonly key: string;
  readonly payload: string;
  readonly occurred_at: number;
};

type EarlierWork = {
  readonly kind: string;
  readonly key: string;
  readonly payload: string;
  readonly due_at: number;
};
