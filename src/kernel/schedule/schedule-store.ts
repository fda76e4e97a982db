import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** Work that is due and in our hands until the lease ends. */
export type ClaimedWork = {
  readonly key: string;
  readonly payload: unknown;
  readonly dueAt: number;
  /** Which attempt this is, counting from 1. */
  readonly attempts: number;
  readonly owner: string;
  readonly revision: number;
};

export type ClaimOptions = {
  readonly owner: string;
  readonly now: number;
  readonly leaseUntil: number;
  readonly limit: number;
};

/** The worker's side of one kind of scheduled work. Each change is void if the lease was lost. */
export type ScheduleStore = {
  /** On the embedded file, which has one process: gives back what a dead process had in hand. */
  releaseAbandoned(): Promise<void>;
  claim(options: ClaimOptions): Promise<ClaimedWork[]>;
  renew(work: ClaimedWork, leaseUntil: number): Promise<boolean>;
  /** Removes work that is done; if it was scheduled anew meanwhile, that stays. */
  complete(work: ClaimedWork): Promise<void>;
  /** Puts failed work off; if it was scheduled anew meanwhile, that time holds. */
  postpone(work: ClaimedWork, dueAt: number): Promise<void>;
  /** Gives back work that was not done, as if it had not been claimed. */
  putBack(work: ClaimedWork): Promise<void>;
  nextDueAt(now: number): Promise<number | undefined>;
};

export function createScheduleStore(database: Database, kind: string): ScheduleStore {
  const isOurs = ({ key, owner }: ClaimedWork) =>
    sql`kind = ${kind} AND key = ${key} AND owner = ${owner}`;

  return {
    async releaseAbandoned() {
      if (database.engine !== 'sqlite') return;
      await database.run(
        sql`UPDATE scheduled_work SET owner = '', lease_until = 0 WHERE kind = ${kind}`,
      );
    },
    async claim({ owner, now, leaseUntil, limit }) {
      const rows = await database.all<ClaimedRow>(sql`
        WITH due AS MATERIALIZED (
          SELECT key FROM scheduled_work
          WHERE kind = ${kind} AND due_at <= ${now} AND lease_until <= ${now}
          ORDER BY due_at LIMIT ${limit} ${database.dialect.skipLocked})
        UPDATE scheduled_work
        SET owner = ${owner}, lease_until = ${leaseUntil}, attempts = attempts + 1
        WHERE kind = ${kind} AND key IN (SELECT key FROM due)
        RETURNING key, payload, due_at, attempts, revision`);
      return rows.map((row) => toClaimedWork(row, owner)).sort((a, b) => a.dueAt - b.dueAt);
    },
    async renew(work, leaseUntil) {
      const renewed = await database.run(
        sql`UPDATE scheduled_work SET lease_until = ${leaseUntil} WHERE ${isOurs(work)}`,
      );
      return renewed === 1;
    },
    async complete(work) {
      await database.transaction(async (tx) => {
        const removed = await tx.run(sql`
          DELETE FROM scheduled_work WHERE ${isOurs(work)} AND revision = ${work.revision}`);
        if (removed === 1) return;
        await tx.run(
          sql`UPDATE scheduled_work SET owner = '', lease_until = 0 WHERE ${isOurs(work)}`,
        );
      });
    },
    async postpone(work, dueAt) {
      await database.run(sql`
        UPDATE scheduled_work SET owner = '', lease_until = 0,
          due_at = CASE WHEN revision = ${work.revision} THEN ${dueAt} ELSE due_at END
        WHERE ${isOurs(work)}`);
    },
    async putBack(work) {
      await database.run(sql`
        UPDATE scheduled_work SET owner = '', lease_until = 0,
          attempts = CASE WHEN revision = ${work.revision} THEN attempts - 1 ELSE attempts END
        WHERE ${isOurs(work)}`);
    },
    async nextDueAt(now) {
      const row = await database.first<{ due_at: number }>(sql`
        SELECT due_at FROM scheduled_work WHERE kind = ${kind} AND lease_until <= ${now}
        ORDER BY due_at LIMIT 1`);
      return row?.due_at;
    },
  };
}

type ClaimedRow = {
  key: string;
  payload: string;
  due_at: number;
  attempts: number;
  revision: number;
};

function toClaimedWork(row: ClaimedRow, owner: string): ClaimedWork {
  const { key, payload, due_at: dueAt, attempts, revision } = row;
  return { key, payload: JSON.parse(payload), dueAt, attempts, revision, owner };
}
