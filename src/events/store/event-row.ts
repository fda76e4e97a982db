import type { QueuedEvent } from '../model/queued-event.ts';

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
