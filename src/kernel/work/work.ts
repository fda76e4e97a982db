import type { Database, Queries, Transaction } from '../database/database.ts';
import { type Sql, sql, sqlList, sqlRows } from '../database/sql.ts';

/** Work for later, or for somebody else: done at least once, if the transaction that adds it commits. */
export type NewWork = {
  /** Says who does it, such as `events.renew-subscription`. */
  readonly kind: string;
  /** Work of one kind and key is done in the order in which it was added, never two pieces at once. */
  readonly key: string;
  /** Anything that JSON can hold. */
  readonly payload: unknown;
  /** Not before this time; at once if left out. */
  readonly dueAt?: number;
};

/** Work whose time has come. */
export type DueWork = {
  /** The same each time this work is done: the key to idempotence. */
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  /** JSON as it was added, untyped: who does the work knows its shape. */
  readonly payload: unknown;
  readonly dueAt: number;
  /** Which attempt this is, counting from 1. What a dead process began does not count. */
  readonly attempts: number;
};

/** A part of the keys of a kind. Only its holder works on it, so the order of a key needs no other lock. */
export type WorkPart = { readonly kind: string; readonly part: number };

/** Who holds parts, and until when. */
export type PartLease = { readonly owner: string; readonly now: number; readonly until: number };

/**
 * Into how many parts the keys of a kind are divided. The part is stored with the work, so a change of
 * this number disturbs only the order of what waits at that moment.
 */
export const workParts = 16;

/** How many parts one claim takes, so that processes woken together share the work. */
const partsClaimed = 4;

/** Bounds what is done again after a crash and what is held in memory. */
export const workBatch = 100;

/** The channel on which the workers of a kind are woken. */
export function workChannel(kind: string): string {
  return `work.${kind}`;
}

/**
 * Adds work behind what waits for its key.
 *
 * Order: the second of two pieces of work with one key is done second whenever it was added after
 * the first was committed, or in the same transaction. Two concurrent transactions that add work for one
 * key have no order unless something else orders them. So make the change first, whose row lock orders
 * them, and then add the work.
 */
export async function addWork(tx: Transaction, work: NewWork): Promise<void> {
  const { kind, key, dueAt = 0 } = work;
  const payload = JSON.stringify(work.payload ?? null);
  await tx.run(sql`
    INSERT INTO work (kind, part, key, payload, due_at)
    VALUES (${kind}, ${workPartOf(key)}, ${key}, ${payload}, ${dueAt})`);
  tx.notify(workChannel(kind));
}

/**
 * Schedules work in place of all that waits for its kind and key. What is being done finishes first,
 * so work can schedule itself again.
 */
export async function scheduleWork(
  tx: Transaction,
  work: NewWork & { readonly dueAt: number },
): Promise<void> {
  await cancelWork(tx, work);
  await addWork(tx, work);
}

/** Takes away all work of a kind and key and returns whether there was any. What is being done is not stopped. */
export async function cancelWork(
  tx: Transaction,
  { kind, key }: Pick<NewWork, 'kind' | 'key'>,
): Promise<boolean> {
  const removed = await tx.run(sql`DELETE FROM work WHERE kind = ${kind} AND key = ${key}`);
  return removed > 0;
}

/** Makes the parts of these kinds, of which workers claim some. */
export async function openWorkParts(database: Database, kinds: readonly string[]): Promise<void> {
  if (kinds.length === 0) return;
  const parts = kinds.flatMap((kind) =>
    Array.from({ length: workParts }, (_, part) => [kind, part, '', 0]),
  );
  await database.transaction(async (tx) => {
    await tx.run(sql`
      INSERT INTO work_parts (kind, part, owner, lease_until) VALUES ${sqlRows(parts)}
      ON CONFLICT (kind, part) DO NOTHING`);
    if (database.engine !== 'sqlite') return;
    // The embedded file has one process, so earlier holders of these parts are gone.
    await tx.run(sql`UPDATE work_parts SET lease_until = 0 WHERE kind IN ${sqlList(kinds)}`);
  });
}

export async function claimWorkParts(
  queries: Queries,
  kinds: readonly string[],
  { owner, now, until }: PartLease,
): Promise<WorkPart[]> {
  if (kinds.length === 0) return [];
  return queries.all<WorkPart>(sql`
    WITH due AS MATERIALIZED (
      SELECT kind, part FROM work_parts
      WHERE kind IN ${sqlList(kinds)} AND lease_until <= ${now} AND EXISTS (
        SELECT 1 FROM work WHERE work.kind = work_parts.kind AND work.part = work_parts.part
          AND ${isDue(now)})
      LIMIT ${partsClaimed} ${queries.dialect.skipLocked})
    UPDATE work_parts SET owner = ${owner}, lease_until = ${until}
    WHERE (kind, part) IN (SELECT kind, part FROM due) RETURNING kind, part`);
}

/** At most {@link workBatch} pieces of due work, those of one key in their order. */
export async function readDueWork(
  queries: Queries,
  { kind, part }: WorkPart,
  now: number,
): Promise<DueWork[]> {
  const rows = await queries.all<WorkRow>(sql`
    SELECT position, key, payload, due_at, attempts FROM work
    WHERE kind = ${kind} AND part = ${part} AND ${isDue(now)}
    ORDER BY due_at, position LIMIT ${workBatch}`);
  return rows.map(({ position, key, payload, due_at: dueAt, attempts }) => ({
    ...{ id: String(position), kind, key, payload: JSON.parse(payload), dueAt },
    attempts: attempts + 1,
  }));
}

/** The outcome of a batch: what is done, what is tried again and when, and whether the part is given back. */
export type WorkOutcome = {
  readonly done: readonly string[];
  readonly failed: readonly { readonly id: string; readonly retryAt: number }[];
  readonly isReleased: boolean;
};

/** Writes the outcome, unless the part was lost meanwhile: then its new holder does the work again. */
export async function finishWork(
  database: Database,
  part: WorkPart,
  lease: PartLease,
  { done, failed, isReleased }: WorkOutcome,
): Promise<void> {
  await database.transaction(async (tx) => {
    // First, because it locks the part: nobody can take it over before this is written.
    if (!(await renewWorkPart(tx, part, lease))) return;
    // Without an owner too, so that a renewal under way does not match the part.
    if (isReleased) {
      await tx.run(sql`UPDATE work_parts SET owner = '', lease_until = 0 WHERE ${isPart(part)}`);
    }
    if (done.length > 0) {
      await tx.run(sql`DELETE FROM work WHERE position IN ${sqlList(done.map(Number))}`);
    }
    for (const { id, retryAt } of failed) {
      await tx.run(sql`
        UPDATE work SET attempts = attempts + 1, due_at = ${retryAt} WHERE position = ${Number(id)}`);
    }
  });
}

/** Extends the lease and returns whether the part was still ours. */
export async function renewWorkPart(
  queries: Queries,
  part: WorkPart,
  { owner, until }: PartLease,
): Promise<boolean> {
  const renewed = await queries.run(sql`
    UPDATE work_parts SET lease_until = ${until} WHERE ${isPart(part)} AND owner = ${owner}`);
  return renewed === 1;
}

/** When the next work of these kinds is due, of all that is not due yet. */
export async function nextWorkDueAt(
  queries: Queries,
  kinds: readonly string[],
  now: number,
): Promise<number | undefined> {
  if (kinds.length === 0) return undefined;
  const row = await queries.first<{ due_at: number | null }>(sql`
    SELECT MIN(due_at) AS due_at FROM (
      SELECT (SELECT MIN(work.due_at) FROM work WHERE work.kind = work_parts.kind
        AND work.part = work_parts.part AND work.due_at > ${now}) AS due_at
      FROM work_parts WHERE kind IN ${sqlList(kinds)}) AS parts`);
  return row?.due_at ?? undefined;
}

/** The part of a key, the same in every process: FNV-1a over the key's UTF-16 units. */
export function workPartOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % workParts;
}

/** Work waits for its own time, and behind earlier work of its key that failed. */
function isDue(now: number): Sql {
  return sql`work.due_at <= ${now} AND NOT EXISTS (
    SELECT 1 FROM work AS earlier WHERE earlier.kind = work.kind AND earlier.key = work.key
      AND earlier.attempts > 0 AND earlier.position < work.position)`;
}

function isPart({ kind, part }: WorkPart): Sql {
  return sql`kind = ${kind} AND part = ${part}`;
}

type WorkRow = {
  readonly position: number;
  readonly key: string;
  readonly payload: string;
  readonly due_at: number;
  readonly attempts: number;
};
