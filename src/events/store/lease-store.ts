import type { Database } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';

/** Who may run a source, and until when. */
export type SourceLease = { readonly source: string; readonly owner: string };

/** Leases by which one process at a time runs a source. */
export type LeaseStore = {
  /** Takes or extends the lease and answers whether it is ours. */
  take(lease: SourceLease, times: { now: number; until: number }): Promise<boolean>;
  /** Gives it back, unless another has it by now. */
  release(lease: SourceLease): Promise<void>;
};

export function createLeaseStore(database: Database): LeaseStore {
  // The embedded file has one process: whoever held a lease before it is gone.
  const isFree = (now: number) =>
    database.engine === 'sqlite' ? sql`1 = 1` : sql`events_source_leases.lease_until <= ${now}`;

  return {
    async take({ source, owner }, { now, until }) {
      const taken = await database.run(sql`
        INSERT INTO events_source_leases (source, owner, lease_until)
        VALUES (${source}, ${owner}, ${until})
        ON CONFLICT (source) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
        WHERE events_source_leases.owner = excluded.owner OR ${isFree(now)}`);
      return taken === 1;
    },
    async release({ source, owner }) {
      await database.run(
        sql`DELETE FROM events_source_leases WHERE source = ${source} AND owner = ${owner}`,
      );
    },
  };
}
