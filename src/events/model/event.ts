/** An event as its publisher tells it (CloudEvents 1.0). `source` and `id` together make it unique. */
export type NewEvent = {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** Full name of the resource on which it happened; what subscriptions are matched by. */
  readonly subject: string;
  readonly occurredAt: number;
  /** A JSON object keyed by the resource's singular name. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** What publishing answers once every event is durable. */
export type PublishResult = { readonly accepted: number; readonly duplicates: number };
