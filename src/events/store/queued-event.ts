/** An event in the queue of a lane, as it waits there. */
export type QueuedEvent = {
  readonly number: number;
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly occurredAt: number;
  readonly data: string;
  readonly isNotice: boolean;
};

/** The columns it is read from. */
export type EventRow = {
  number: number;
  id: string;
  type: string;
  subject: string;
  occurred_at: number;
  data: string;
  is_notice: number;
};

/** Field by field: taking a row apart by its rest costs more than reading it. */
export function toQueuedEvent(row: EventRow): QueuedEvent {
  return {
    number: row.number,
    id: row.id,
    type: row.type,
    subject: row.subject,
    occurredAt: row.occurred_at,
    data: row.data,
    isNotice: row.is_notice === 1,
  };
}
