import type { Queries } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';

/** Uses up an id that works once. Returns whether this was the first use, over all processes (R8). */
export async function spendId(queries: Queries, id: string, expiresAt: number): Promise<boolean> {
  const spent = await queries.run(sql`
    INSERT INTO spent_ids (id, expires_at) VALUES (${id}, ${expiresAt})
    ON CONFLICT (id) DO NOTHING`);
  return spent === 1;
}

export async function countSpentIds(queries: Queries): Promise<number> {
  const row = await queries.first<{ n: number }>(sql`SELECT COUNT(*) AS n FROM spent_ids`);
  return row?.n ?? 0;
}
