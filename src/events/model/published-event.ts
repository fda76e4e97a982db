/** An event as it was published, with its position among all of them. */
export type PublishedEvent = {
  readonly position: number;
  /** The principal that published it; '' where this server did. */
  readonly publisher: string;
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly occurredAt: number;
  readonly acceptedAt: number;
  /** JSON text; undefined if it is longer than requested. */
  readonly data: string | undefined;
  readonly dataBytes: number;
};
