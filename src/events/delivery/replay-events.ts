import type { Database } from '../../kernel/database/database.ts';
import type { RateLimiter } from '../../kernel/edge/rate-limiter.ts';
import { count } from '../../kernel/text/text.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { eventsLimits } from '../limits.ts';
import { EventsError } from '../model/events-error.ts';
import { subscriptionName } from '../model/subscription.ts';
import type { StorageMeter } from '../publishing/create-storage-meter.ts';
import {
  countWaiting,
  findReplay,
  type ReplayQuery,
  takeRepeated,
} from '../store/lanes/delivery-log-store.ts';
import { type Deliverer, notifyLanes } from '../store/lanes/lane-notices.ts';
import { makeDue } from '../store/lanes/lane-store.ts';
import { readWatermark } from '../store/mcp-store.ts';
import { appendToLanes } from '../store/queue/queue-store.ts';
import type { CatchUp } from './written-progress.ts';

export type ReplayOptions = {
  readonly database: Database;
  readonly catchUp: CatchUp;
  readonly deliverer: Deliverer;
  readonly clock: Clock;
  /** Limits how many events a principal replays. */
  readonly limiter: RateLimiter;
  readonly storage: Pick<StorageMeter, 'requireRoom' | 'noteDeliveries'>;
};

/**
 * Sends events of a subscription again under the same ids, after the events that already wait (E14.36). Returns how
 * many. Leaves out events that are still being delivered, and lifecycle events. Works in small transactions, so a
 * failure leaves the first part replayed. Throws `FAILED_PRECONDITION` if the subscription is suspended (E14.37), and
 * `RESOURCE_EXHAUSTED` if its principal replays too many or has used up its storage (N5).
 */
export async function replayEvents(
  { database, catchUp, deliverer, clock, limiter, storage }: ReplayOptions,
  query: ReplayQuery,
): Promise<number> {
  storage.requireRoom(query.principal);
  // So that events that a receiver has accepted by now are replayed too (D8).
  await catchUp(query.subscriptionId);
  const from = await findReplay(database, query.subscriptionId);
  if (from === undefined) throw suspended(query.subscriptionId);
  const { lane, through } = from;
  let replayed = 0;
  for (let { after } = from; after < through; ) {
    const { repeated, seenThrough } = await database.transaction(async (tx) => {
      const taken = await takeRepeated(tx, query, { ...from, after });
      const watermark = query.isForMcp ? await readWatermark(tx, lane) : undefined;
      const entries = taken.repeated.map(({ number, ...entry }) => ({
        ...entry,
        replayOf: number,
        watermark,
      }));
      if (entries.length > 0) {
        await appendToLanes(tx, new Map([[lane, entries]]), { now: clock.now(), deliverer });
      }
      return taken;
    });
    replayed += repeated.length;
    storage.noteDeliveries(query.principal, repeated.length);
    after = seenThrough;
    if (repeated.length === 0) continue;
    const { isAllowed, retryAfterSeconds } = await limiter.take(query.principal, repeated.length);
    if (!isAllowed) throw tooMany(replayed, retryAfterSeconds);
  }
  return replayed;
}

function tooMany(replayed: number, retryAfterSeconds: number): EventsError {
  const limit = String(eventsLimits.replayedEvents.value);
  return new EventsError(
    'RESOURCE_EXHAUSTED',
    `At most ${limit} events a minute are sent again for one user of a project. ${replayed} of these are queued: wait ${count(retryAfterSeconds, 'second')}, then replay the rest with startTime.`,
    {
      reason: 'RATE_LIMIT_EXCEEDED',
      metadata: { limit, replayed: String(replayed) },
      retryAfterSeconds,
    },
  );
}

function suspended(subscriptionId: string): EventsError {
  const name = subscriptionName(subscriptionId);
  const description = `${name} is suspended, so nothing can be sent: reactivate it, then replay.`;
  return new EventsError('FAILED_PRECONDITION', description, {
    reason: 'SUBSCRIPTION_SUSPENDED',
    metadata: { name },
    preconditionViolations: [{ type: 'STATE', subject: name, description }],
  });
}

/**
 * Retries events now instead of later, for a person who fixed an endpoint and does not want to wait (K3). Returns
 * how many of the named events wait. Events keep their order, so those that wait before them are sent too.
 */
export async function attemptNow(
  { database, deliverer, clock }: ReplayOptions,
  {
    subscriptionId,
    ...query
  }: Pick<ReplayQuery, 'subscriptionId' | 'isForMcp'> & { eventIds: readonly string[] },
): Promise<number> {
  return database.transaction(async (tx) => {
    const from = await findReplay(tx, subscriptionId);
    if (from === undefined) return 0;
    const { lane } = from;
    const waiting = await countWaiting(tx, from, query);
    if (waiting > 0 && (await makeDue(tx, lane, clock.now()))) {
      notifyLanes(tx, [{ lane, owner: null }], deliverer);
    }
    return waiting;
  });
}
