import { type Sql, sql } from '../../kernel/database/sql.ts';
import { occurrenceId, type QueuedEvent, writeCursor } from '../model/event.ts';

/** The columns that a queued event is read from. */
export type EventRow = {
  number: number;
  id: string;
  type: string;
  subject: string;
  occurred_at: number;
  data: string;
  is_notice: number;
  trace?: string | null;
};

/** The further columns of an event that goes to an MCP client. */
export const originColumns: Sql = sql`, publisher, source, COALESCE(watermark, event) AS watermark`;

/** The id by which an MCP client knows the subscription of a row of `events_lanes`; null if none asked for it. */
export const mcpIdOfLane: Sql = sql`(
  SELECT mcp_id FROM events_subscriptions WHERE events_subscriptions.id = subscription_id)`;

/** A row with these columns. */
export type OriginRow = EventRow & { publisher: string; source: string; watermark: number };

/** A queued event of this lane for an MCP client. */
export function toOriginEvent(row: OriginRow, lane: number): QueuedEvent {
  const { number, publisher, source, id, watermark } = row;
  const origin = {
    occurrenceId: occurrenceId(publisher, source, id),
    cursor: writeCursor({ position: watermark, lane, number }),
  };
  return { ...toQueuedEvent(row), origin };
}

/** Copies field by field: destructuring with a rest would cost more than reading the row. */
export function toQueuedEvent(row: EventRow): QueuedEvent {
  return {
    number: row.number,
    id: row.id,
    type: row.type,
    subject: row.subject,
    occurredAt: row.occurred_at,
    data: row.data,
    isNotice: row.is_notice === 1,
    trace: row.trace ?? undefined,
  };
}

/** Few sizes, so that few statements are prepared, whatever the number of rows. */
const chunkSizes = [100, 10, 5, 2, 1] as const;

/** Parts of a list for statements that take many rows, in order. */
export function* inChunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  let from = 0;
  for (const size of chunkSizes) {
    for (; from + size <= rows.length; from += size) yield rows.slice(from, from + size);
  }
}
