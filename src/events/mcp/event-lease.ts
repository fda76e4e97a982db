import { toOutgoingEvent } from '../delivery/outgoing-event.ts';
import { type Occurrence, toOccurrence } from '../delivery/to-occurrence.ts';
import { parsePairTarget } from '../model/application-options.ts';
import { type EventsCaller, isAdmin, principalOf, sightInto } from '../model/caller.ts';
import { writeCursor } from '../model/event.ts';
import { EventsError } from '../model/events-error.ts';
import { fullSubscriptionName, type Subscription } from '../model/subscription.ts';
import {
  advanceStream,
  findStream,
  readPayload,
  readStreamEvents,
  type StreamLane,
} from '../store/lanes/stream-store.ts';
import { findNumberAt, readFirstNumber, readPlace } from '../store/mcp-store.ts';
import type { McpContext } from './mcp-context.ts';
import type { Wanted } from './offered-events.ts';
import { type Asked, findLive, openSubscription, renewSubscription } from './open-subscription.ts';

/** What a reader of events asks for, by poll or stream. */
export type LeaseRequest = Pick<Asked, 'caller' | 'wanted' | 'cursor' | 'maxAgeMs'>;

/** A subscription with an event stream that a poll or stream reads, and where it begins to read. */
export type EventLease = {
  readonly subscription: Subscription;
  readonly stream: StreamLane;
  /** The number after which the reader goes on. */
  readonly after: number;
  /** Whether events between the cursor and there are gone. */
  readonly isTruncated: boolean;
};

const hour = 3_600_000;
/** Watching a pair costs a search in every block, so nobody does it for long after the last call (M51). */
const [leaseMs, leaseOfPairMs] = [24 * hour, hour / 6];
/** A lease is written again only once a twentieth of it has passed, so that polls rarely write. */
const partKept = 20;

/** How long a lease lasts after a call. */
export function leaseLength({ targetResource }: Pick<Wanted, 'targetResource'>): number {
  return parsePairTarget(targetResource) === undefined ? leaseMs : leaseOfPairMs;
}

/**
 * The lease of this principal, name and arguments (M50): renewed, or opened with the events after the cursor. Throws
 * `RESOURCE_EXHAUSTED` if the caller has too many subscriptions, and `PERMISSION_DENIED`.
 */
export async function takeLease(
  context: McpContext,
  request: LeaseRequest,
  signal: AbortSignal,
): Promise<EventLease> {
  const { caller, wanted } = request;
  const principal = principalOf(caller);
  const key = { principal, url: undefined, name: wanted.name, arguments: wanted.arguments };
  const mcpId = context.deriveId(key);
  for (;;) {
    const live = await findLive(context, mcpId);
    if (live !== undefined) {
      if (!(await keepLease(context, live, request))) continue;
      const stream = await findStream(context.database, live.id);
      if (stream !== undefined)
        return placeReader(context, { subscription: live, stream }, request);
      continue;
    }
    await context.requireRoom({
      ...wanted,
      principal,
      userId: caller.isPerson ? caller.subject : undefined,
    });
    const opened = await openSubscription(context, toAsked(context, { ...request, mcpId }), signal);
    if (opened === undefined) continue;
    const { subscription, isTruncated } = opened;
    const stream = await findStream(context.database, subscription.id);
    if (stream !== undefined) return { subscription, stream, after: 0, isTruncated };
  }
}

/** Renews a lease of which a part has passed. Returns false if a rival changed it meanwhile. */
export async function keepLease(
  context: McpContext,
  live: Subscription,
  request: Pick<LeaseRequest, 'caller' | 'wanted'>,
): Promise<boolean> {
  const length = leaseLength(request.wanted);
  const left = live.expiresAt - context.clock.now();
  if (left > length && live.state === 'ACTIVE') return true;
  const asked = toAsked(context, { ...request, cursor: undefined, maxAgeMs: undefined, mcpId: '' });
  return renewSubscription(context, live, asked);
}

function toAsked({ clock }: McpContext, request: LeaseRequest & Pick<Asked, 'mcpId'>): Asked {
  const length = leaseLength(request.wanted);
  return {
    ...request,
    endpoint: { kind: 'eventStream' },
    signingSecret: undefined,
    expiresAt: clock.now() + length + Math.ceil(length / partKept),
  };
}

/** Where a reader of a live lease goes on: at its number, or where its position is in the queue by now (M24, M52). */
async function placeReader(
  { database }: McpContext,
  { subscription, stream }: Pick<EventLease, 'subscription' | 'stream'>,
  { cursor }: LeaseRequest,
): Promise<EventLease> {
  const begun = { subscription, stream };
  const { lane, lastNumber } = stream;
  if (cursor === undefined) return { ...begun, after: lastNumber, isTruncated: false };
  if (cursor === 'stale') return { ...begun, after: lastNumber, isTruncated: true };
  if (cursor.lane !== lane) {
    const after = await findNumberAt(database, lane, cursor.position);
    return { ...begun, after, isTruncated: cursor.position < (subscription.mcp?.since ?? 0) };
  }
  const first = (await readFirstNumber(database, lane)) ?? lastNumber + 1;
  return { ...begun, after: cursor.number, isTruncated: first > cursor.number + 1 };
}

/** An event with the cursor that continues after it. */
export type ReadOccurrence = { readonly occurrence: Occurrence; readonly cursor: string };

/** What one look into a lease found. */
type Reading = {
  readonly found: readonly ReadOccurrence[];
  /** The number of the last event that was read, whether or not it is shown. */
  readonly through: number;
  /** Whether events were left out because they are too old. */
  readonly isTruncated: boolean;
};

/**
 * Reads the next events of a lease and logs them as delivered. Leaves out those that the caller may not see, and those older
 * than wanted.
 */
export async function readLease(
  context: Pick<McpContext, 'database' | 'clock' | 'visibility' | 'sourceHost'>,
  { stream, after }: Pick<EventLease, 'stream' | 'after'>,
  options: {
    readonly caller: EventsCaller;
    readonly maxAgeMs: number | undefined;
    readonly limit: number;
  },
): Promise<Reading> {
  const { database, clock, visibility, sourceHost } = context;
  const { caller, maxAgeMs = Number.POSITIVE_INFINITY, limit } = options;
  const at = clock.now();
  const query = { after, limit, isForMcp: true };
  const events = await readStreamEvents(database, stream.lane, query);
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) {
    return { found: [], through: after, isTruncated: false };
  }
  const sees = sightInto(stream, { visibility, isAdmin: isAdmin(caller) });
  const seen = events.filter(({ publisher }) => sees(publisher));
  const young = seen.filter(({ acceptedAt }) => acceptedAt >= at - maxAgeMs);
  const payload = await readPayload(database, stream.lane);
  const source = fullSubscriptionName(stream.subscriptionId, sourceHost);
  const found = young.map((event) => ({
    occurrence: toOccurrence(toOutgoingEvent(event, { source, payload })),
    cursor: event.origin?.cursor ?? '',
  }));
  const attempt = { first: first.number, last: last.number, at, durationMs: clock.now() - at };
  await advanceStream(database, stream.lane, attempt);
  return { found, through: last.number, isTruncated: young.length < seen.length };
}

/** The cursor of a reader that has read through a number (M26). */
export async function cursorAt(
  { database }: Pick<McpContext, 'database'>,
  { subscription, stream }: Pick<EventLease, 'subscription' | 'stream'>,
  number: number,
): Promise<string> {
  const since = subscription.mcp?.since ?? 0;
  // Read again, since events may have come meanwhile.
  const now = (await findStream(database, subscription.id)) ?? stream;
  return writeCursor(
    await readPlace(database, { ...stream, lastNumber: now.lastNumber }, { number, since }),
  );
}

/** The refusal of a caller whose subscription ended while it was read (M58). */
export function ended(reason: Subscription['suspensionReason']): EventsError {
  const isGone = reason === 'RESOURCE_DELETED';
  return new EventsError(
    isGone ? 'NOT_FOUND' : 'PERMISSION_DENIED',
    'The subscription ended: its right was withdrawn, or somebody deleted it.',
    { reason: reason === undefined ? 'SUBSCRIPTION_DELETED' : 'RIGHT_WITHDRAWN' },
  );
}
