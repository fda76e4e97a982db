/** An event in the queue of a lane, as it waits there. */
export type QueuedEvent = {
  readonly number: number;
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly occurredAt: number;
  readonly data: string;
  readonly isNotice: boolean;
  /** See `NewEvent`; read only where events are sent. */
  readonly trace?: string | undefined;
};
