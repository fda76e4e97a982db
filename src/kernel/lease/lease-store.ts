import type { Database, Queries } from '../database/database.ts';
import { sql } from '../database/sql.ts';

/** What is held, such as `swap-source`, and by whom. */
export type Lease = { readonly name: string; readonly owner: string };

/** Takes or extends the lease and returns whether it is ours. */
export async function takeLease(
  database: Database,
  { name, owner }: Lease,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  // The embedded file has one process, so an earlier holder of the lease is gone.
  const isFree = database.engine === 'sqlite' ? sql`1 = 1` : sql`leases.lease_until <= ${now}`;
  const taken = await database.run(sql`
    INSERT INTO leases (name, owner, lease_until) VALUES (${name}, ${owner}, ${until})
    ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
    WHERE leases.owner = excluded.owner OR ${isFree}`);
  return taken === 1;
}

/** Releases the lease, unless another process holds it by now. */
export async function releaseLease(queries: Queries, { name, owner }: Lease): Promise<void> {
  await queries.run(sql`DELETE FROM leases WHERE name = ${name} AND owner = ${owner}`);
}
