/**
 * An event as its publisher sends it (CloudEvents 1.0). `source` and `id` together make it unique among those of its
 * publisher.
 */
export type NewEvent = {
  /** Who published it; left out if this server did, which no publisher from outside can claim (F6). */
  readonly publishedBy?: EventPublisher;
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** Full name of the resource on which it happened; what subscriptions are matched by. */
  readonly subject: string;
  readonly occurredAt: number;
  /** A JSON object keyed by the resource's singular name. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The trace in which it was published, as `traceparent` has it. */
  readonly trace?: string | undefined;
};

/** The publisher of an event from outside. */
export type EventPublisher = {
  /** See `accountOf`: with `TRADEWIND_EVENT_VISIBILITY=own` only subscriptions of this account see it. */
  readonly account: string;
  /** See `principalOf`: an event is a duplicate only of events of the same principal. */
  readonly principal: string;
};

/** The answer to publishing, once every event is durable. */
export type PublishResult = { readonly accepted: number; readonly duplicates: number };
