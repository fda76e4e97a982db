import type { Queries } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';

/**
 * The place of the newest event, attempt and change of any subscription. One query, which reads each from the end of an
 * index.
 */
export async function readFeedHeads(queries: Queries) {
  const row = await queries.first<Record<'event' | 'attempt' | 'change', number | null>>(sql`
    SELECT (SELECT MAX(position) FROM events_published) AS event,
      (SELECT MAX(position) FROM events_attempts) AS attempt,
      (SELECT MAX(updated_at) FROM events_subscriptions) AS change`);
  return { event: row?.event ?? 0, attempt: row?.attempt ?? 0, change: row?.change ?? 0 };
}
