import { createHash } from 'node:crypto';

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
type EventPublisher = {
  /** See `accountOf`: with `TRADEWIND_EVENT_VISIBILITY=own` only subscriptions of this account see it. */
  readonly account: string;
  /** See `principalOf`: an event is a duplicate only of events of the same principal. */
  readonly principal: string;
};

/** The answer to publishing, once every event is durable. */
export type PublishResult = { readonly accepted: number; readonly duplicates: number };

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
  /** Read only for MCP clients. */
  readonly origin?: EventOrigin | undefined;
};

/** What an MCP client gets of the place of an event. */
export type EventOrigin = {
  /** The id of the event for every MCP client, see `occurrenceId`. */
  readonly occurrenceId: string;
  /** The place up to which the subscription is dealt with once this event is, see `writeCursor`. */
  readonly cursor: string;
};

/**
 * The id of an event for MCP clients (M36): the same by webhook, poll and stream, on every attempt and replay. The id of the
 * publisher would not do: two publishers may share one, and some fit no header.
 */
export function occurrenceId(publisher: string, source: string, id: string): string {
  const hash = createHash('sha256').update(JSON.stringify([publisher, source, id]));
  return `evt_${hash.digest('hex').slice(0, 32)}`;
}

/** A place in the events of a subscription: its queue and the number there, and the position in all stored events. */
export type CursorPlace = {
  readonly position: number;
  readonly lane: number;
  readonly number: number;
};

/** The text of a place, which MCP clients send back (M26). */
export function writeCursor({ position, lane, number }: CursorPlace): string {
  return `${position}.${lane}.${number}`;
}

/** Undefined for a text that was never a cursor here: it counts as stale (M24). */
export function parseCursor(text: string): CursorPlace | undefined {
  const [, position, lane, number] = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  return { position: Number(position), lane: Number(lane), number: Number(number) };
}

export const deliveryStates = ['PENDING', 'RETRYING', 'DELIVERED', 'HELD', 'UNDELIVERED'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The outcome of one event for one subscription. */
export type LoggedDelivery = {
  readonly number: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly state: DeliveryState;
  /** Always set where it was held or given up. */
  readonly reason: string | undefined;
  readonly createdAt: number;
  readonly nextAttemptAt: number | undefined;
  readonly attempts: readonly Attempt[];
};

/** One attempt at events `first` to `last` of a lane. */
export type Attempt = {
  readonly first: number;
  readonly last: number;
  readonly at: number;
  readonly durationMs: number;
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  /** The beginning of the endpoint's answer. */
  readonly response?: string | undefined;
  /** Whether the answer was longer than what is kept. */
  readonly isResponseCut?: boolean | undefined;
};
