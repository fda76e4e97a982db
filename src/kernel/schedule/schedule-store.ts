import type { Database, Queries } from '../database/database.ts';
import { type Sql, sql } from '../database/sql.ts';

/** Due work that we hold until the lease ends. Changes to it have no effect if the lease was lost. */
export type ClaimedWork = {
  readonly kind: string;
  readonly key: string;
  readonly payload: unknown;
  readonly dueAt: number;
  /** Which attempt this is, counting from 1. */
  readonly attempts: number;
  readonly owner: string;
  readonly revision: number;
};

export type ClaimOptions = {
  readonly kind: string;
  readonly owner: string;
  readonly now: number;
  readonly leaseUntil: number;
  readonly limit: number;
};

/** Releases what a dead process held; only on the embedded file, which has one process. */
export async function releaseAbandonedWork(database: Database, kind: string): Promise<void> {
  if (database.engine !== 'sqlite') return;
  await database.run(
    sql`UPDATE scheduled_work SET owner = '', lease_until = 0 WHERE kind = ${kind}`,
  );
}

export async function claimDueWork(
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

export async function renewWork(
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
export async function completeWork(database: Database, work: ClaimedWork): Promise<void> {
  await database.transaction(async (tx) => {
    const removed = await tx.run(sql`
      DELETE FROM scheduled_work WHERE ${isOurs(work)} AND revision = ${work.revision}`);
    if (removed === 1) return;
    await tx.run(sql`UPDATE scheduled_work SET owner = '', lease_until = 0 WHERE ${isOurs(work)}`);
  });
}

/** Postpones failed work; if it was scheduled again meanwhile, that time counts. */
export async function postponeWork(
  queries: Queries,
  work: ClaimedWork,
  dueAt: number,
): Promise<void> {
  await queries.run(sql`
    UPDATE scheduled_work SET owner = '', lease_until = 0,
      due_at = CASE WHEN revision = ${work.revision} THEN ${dueAt} ELSE due_at END
    WHERE ${isOurs(work)}`);
}

/** Releases work that was not done, as if it had not been claimed. */
export async function putWorkBack(queries: Queries, work: ClaimedWork): Promise<void> {
  await queries.run(sql`
    UPDATE scheduled_work SET owner = '', lease_until = 0,
      attempts = CASE WHEN revision = ${work.revision} THEN attempts - 1 ELSE attempts END
    WHERE ${isOurs(work)}`);
}

export async function nextWorkDueAt(
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
