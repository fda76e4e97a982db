import type { Queries } from '../../kernel/database/database.ts';
import { swapTypes } from '../applications/own-event-types.ts';
import { eventsLimits } from '../limits.ts';
import type { Application } from '../model/application.ts';
import { type EventVisibility, sightInto } from '../model/caller.ts';
import type { CursorPlace } from '../model/event.ts';
import type { Subscription } from '../model/subscription.ts';
import { targetForms } from '../publishing/create-publisher.ts';
import {
  listStoredOfType,
  readNewestPosition,
  readOldestPosition,
  type StoredEvent,
} from '../store/mcp-store.ts';

/** Where a new queue begins, and which stored events it gets first. */
export type Refill = {
  /** The positions of the events, in order. */
  readonly events: readonly number[];
  /** Whether some after the cursor are missing. */
  readonly isTruncated: boolean;
  /** The position after which the queue begins. */
  readonly since: number;
};

type RefillRequest = {
  readonly subscription: Pick<Subscription, 'targetResource' | 'eventTypes' | 'options'>;
  readonly application: Application;
  /** The account of its owner, and whether that is an admin. */
  readonly account: string;
  readonly isAdmin: boolean;
  readonly visibility: EventVisibility;
  /** Where the client was; 'stale' if that cannot be told, undefined to begin now. */
  readonly cursor: CursorPlace | 'stale' | undefined;
  /** How old events may be, in milliseconds. */
  readonly maxAgeMs: number | undefined;
  readonly now: number;
};

/** The events of pairs are made for each subscription that watches, so nothing of them is there for another (M25). */
const madeForOne: readonly string[] = [swapTypes.priceMoved, swapTypes.routeChanged];
const most = eventsLimits.mcpRefilled.value;
const lookedThrough = eventsLimits.mcpLookedThrough.value;
/** How many positions one query looks through, so that each is short. */
const positionsAtOnce = 10_000;

/**
 * Finds the stored events after a cursor that a new queue gets (M24): as many of the newest as are allowed, in order. To be
 * called in the transaction that opens the queue.
 */
export async function findRefill(queries: Queries, request: RefillRequest): Promise<Refill> {
  const { cursor, subscription } = request;
  const newest = await readNewestPosition(queries);
  const now = { events: [], since: newest };
  if (cursor === undefined) return { ...now, isTruncated: false };
  const [type = ''] = subscription.eventTypes;
  if (cursor === 'stale' || madeForOne.includes(type) || cursor.position > newest) {
    return { ...now, isTruncated: true };
  }
  const oldest = (await readOldestPosition(queries)) ?? newest + 1;
  const begin = Math.max(cursor.position, newest - lookedThrough, oldest - 1);
  const fits = fitsRequest(request);
  const found: StoredEvent[] = [];
  for (let after = begin; after < newest; after += positionsAtOnce) {
    const through = Math.min(newest, after + positionsAtOnce);
    found.push(...(await listStoredOfType(queries, { type, after, through })).filter(fits));
  }
  const young = found.filter(
    ({ acceptedAt }) => acceptedAt >= request.now - (request.maxAgeMs ?? request.now),
  );
  const taken = young.slice(-most);
  const isTruncated = begin > cursor.position || taken.length < found.length;
  return { events: taken.map(({ position }) => position), isTruncated, since: begin };
}

function fitsRequest({ subscription, application, ...request }: RefillRequest) {
  const { targetResource } = subscription;
  const sight = { account: request.account, seesAll: request.isAdmin, sawAll: true };
  const sees = sightInto(sight, request);
  const isNarrow = application.isNarrow?.(subscription) ?? false;
  const depth = targetResource.split('/').length;
  return ({ subject, publisher }: StoredEvent): boolean =>
    sees(publisher) &&
    targetForms(subject, application.targets).includes(targetResource) &&
    !(isNarrow && subject.split('/')[depth] === 'files');
}
