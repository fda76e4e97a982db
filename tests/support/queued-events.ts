import type { Database } from '../../src/kernel/database/database.ts';
import { sql } from '../../src/kernel/database/sql.ts';

export type QueuedEvent = {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  readonly data: any;
};

/** The events queued for a subscription, in order. */
export async function queuedEvents(
  database: Database,
  subscriptionId: string,
): Promise<QueuedEvent[]> {
  const rows = await database.all<{ id: string; type: string; subject: string; data: string }>(sql`
    SELECT p.id, p.type, p.subject, p.data FROM events_deliveries AS d
    JOIN events_lanes AS l ON l.lane = d.lane
    JOIN events_published AS p ON p.position = d.event
    WHERE l.subscription_id = ${subscriptionId} ORDER BY d.number`);
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) }));
}
