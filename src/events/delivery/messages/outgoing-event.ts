/** An event as it leaves: CloudEvents 1.0, its data shaped for one subscription. */
export type OutgoingEvent = {
  /** Its place in the queue: the same on every attempt, and another one when it is replayed. */
  readonly number: number;
  readonly id: string;
  /** The subscription's full name. */
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  /** RFC 3339. */
  readonly time: string;
  /** JSON text. */
  readonly data: string;
};

/** Events that are sent together, in order. Most endpoints take one at a time. */
export type OutgoingBatch = {
  /** The same on every attempt: the event's id, or an id of the batch. */
  readonly id: string;
  readonly events: readonly OutgoingEvent[];
  /** When the attempt began; a webhook gets it in a header. */
  readonly at: number;
  /** The trace of its first event, as `traceparent` has it. */
  readonly trace?: string | undefined;
  /** The last attempt at the lane failed. */
  readonly isRetry: boolean;
};
