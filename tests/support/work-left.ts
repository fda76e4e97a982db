import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../../src/kernel/database/database.ts';
import { sql } from '../../src/kernel/database/sql.ts';

/** Resolves when no work is due by now: it is done, taken away, or waits for another attempt. */
export async function whenNoWorkIsDue(database: Database, now: number): Promise<void> {
  while (await database.first(sql`SELECT 1 AS one FROM work WHERE due_at <= ${now}`)) await turn();
}
