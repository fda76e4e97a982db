import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** What is held, such as `swap-source`, and by whom. */
export type Lease = { readonly name: string; readonly owner: string };

/** Leases by which one process at a time does a piece of work. */
export type LeaseStore = {
  /** Takes or extends the lease and answers whether it is ours. */
  take(lease: Lease, times: { now: number; until: number }): Promise<boolean>;
  /** Gives it back, unless another has it by now. */
  release(lease: Lease): Promise<void>;
};

export function createLeaseStore(database: Database): LeaseStore {
  // The embedded file has one process: whoever held a lease before it is gone.
  const isFree = (now: number) =>
    database.engine === 'sqlite' ? sql`1 = 1` : sql`leases.lease_until <= ${now}`;

  return {
    async take({ name, owner }, { now, until }) {
      const taken = await database.run(sql`
        INSERT INTO leases (name, owner, lease_until) VALUES (${name}, ${owner}, ${until})
        ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
        WHERE leases.owner = excluded.owner OR ${isFree(now)}`);
      return taken === 1;
    },
    async release({ name, owner }) {
      await database.run(sql`DELETE FROM leases WHERE name = ${name} AND owner = ${owner}`);
    },
  };
}
