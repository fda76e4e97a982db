import type { Database } from '../../../kernel/database/database.ts';
import type { Random } from '../../../kernel/model/random.ts';
import { backoffDelay } from '../../../kernel/wait/alarm.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { eventsLimits } from '../../limits.ts';
import type { IsSignedIn } from '../../model/caller.ts';
import type { QueuedEvent } from '../../model/event.ts';
import type { Subscription, SubscriptionId } from '../../model/subscription.ts';
import {
  type ClaimedLane,
  endLane,
  forgetGivenUp,
  giveUpDelivery,
  type LaneRange,
  settleNotice,
} from '../../store/lanes/lane-store.ts';
import { nextLimit, type Suspend } from '../delivery-queues.ts';
import type { DeliveryEndpoint, SendFailure, SendOutcome } from '../endpoints/endpoint.ts';
import type { OriginGates } from '../endpoints/origin-gates.ts';
import { type OutgoingBatch, toBatchId, toOutgoingEvent } from '../outgoing-event.ts';
import type { LanePosition, NotedAttempt, ProgressWriter } from '../progress-writer.ts';
import type { LaneCall } from './lane-calls.ts';

export type DeliverLaneOptions = {
  readonly lane: ClaimedLane;
  readonly endpoint: DeliveryEndpoint;
  /** The full name of the subscription, which is the source of its events. */
  readonly source: string;
  readonly database: Database;
  readonly writer: ProgressWriter;
  readonly gates: OriginGates;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: RetrySettings;
  readonly suspend: Suspend;
  readonly call: LaneCall;
  /** Reads the next events of the lane; waits while too many lanes read. */
  read(range: LaneRange): Promise<readonly QueuedEvent[]>;
  /**
   * Whether other lanes wait for a place. If so, the lane is given back after the events it has read and queues again.
   */
  isToYield(): boolean;
  /** Asked before each call whether the receiver may have anything (F85); without it everybody may. */
  readonly isSignedIn?: IsSignedIn | undefined;
  readonly receiver: Pick<Subscription, 'clientId' | 'userId'> | undefined;
  onSend(startedAt: number | undefined): void;
  onOutcome(outcome: SendOutcome): void;
};

const [fewestRead, mostRead] = [4, 500];
/**
 * The most bytes of data in a batch of several events: shaping and signing them holds the event loop for some
 * milliseconds (N1).
 */
const bytesInBatch = 512 * 1024;
const mostQueued = eventsLimits.queuedEvents.value;
/** The pause before a lane that the store or a bug has stopped is tried again. */
const pauseAfterFault = 5_000;
/** The pause before a lane that found a closed gate is tried again. */
const pauseAtClosedGate = 2_000;
/** The pause before a lane that may receive nothing, as far as is known, is tried again. */
const pauseWhileSignedOut = 10_000;
/** The pause before a lane that has expired is looked at again, if it was not removed or renewed by then. */
const pauseAtEnd = 1_000;
/** If the process dies before it has suspended the subscription, the events are tried again after this pause. */
const pauseOnceGivenUp = 60_000;

/**
 * Delivers the events of a lane, in order, until none are left, an attempt fails or the signal fires; then gives the
 * lane back. A failed attempt is scheduled again, or the subscription is suspended. A suspended lane sends only
 * lifecycle events, once each (E14.32).
 */
export async function deliverLane(options: DeliverLaneOptions, signal: AbortSignal): Promise<void> {
  const { lane, endpoint, database, clock, writer, call } = options;
  const position = toPosition(lane);
  let limit = Math.max(fewestRead, endpoint.batchSize);
  // The lane may wait for more once after each read that found events. Nothing can be read from a lost lane, so it
  // ends.
  let mayWait = false;
  const refused = { count: lane.givenUp, since: lane.givenUpSince };
  const giveBack: GiveBack = (dueAt) => {
    call.leave();
    return writer.release(position, dueAt);
  };

  try {
    while (!signal.aborted) {
      call.forget();
      const events = await options.read({ after: position.cursor, limit });
      if (events.length === 0) {
        // The events that failed may have been pruned.
        position.attempts = 0;
        position.failingSince = undefined;
        writer.rest(position);
        if (!mayWait || options.isToYield() || !(await call.wait(signal))) return giveBack();
        mayWait = false;
        continue;
      }
      mayWait = !lane.isSuspended && !lane.isEnding;
      const tried = countTried(events, position);
      for (let from = 0; from < events.length; ) {
        const some = from < tried ? events.slice(0, tried) : nextBatch(events, from, endpoint);
        from += some.length;
        if (lane.expiresAt !== undefined && clock.now() >= lane.expiresAt) {
          return giveBack(clock.now() + pauseAtEnd);
        }
        const isRetry = position.attempts > 0;
        const sent = await send({ events: some, isRetry, position }, options, signal);
        if (sent === 'signed out') return giveBack(clock.now() + pauseWhileSignedOut);
        if (sent === undefined) return giveBack(clock.now() + pauseAtClosedGate);
        if (sent === 'stopped') return giveBack(clock.now());
        const { outcome, attempt } = sent;
        if (!outcome.isAccepted && !lane.isSuspended) {
          const failed = { position, attempt, failure: outcome, giveBack };
          const isNotice = isControl(some, endpoint);
          if (!isGivenUp({ ...failed, isNotice, now: clock.now() })) {
            return fail({ ...failed, isNotice }, options);
          }
          if (!isNotice && (await giveUp(failed, { ...options, refused }))) return;
        }
        if (outcome.isAccepted && refused.count > 0) {
          refused.count = 0;
          refused.since = undefined;
          await forgetGivenUp(database, lane.lane);
        }
        if (lane.isSuspended) {
          const failure = outcome.isAccepted ? {} : { failure: outcome.error };
          await settleNotice(database, { lane: lane.lane, number: attempt.last, ...failure });
        } else {
          position.attempts = 0;
          position.failingSince = undefined;
        }
        position.cursor = attempt.last;
        const lagging = writer.note(position, attempt);
        if (lagging !== undefined) await lagging;
      }
      if (options.isToYield()) return giveBack(clock.now());
      limit = nextLimit(events, { fewest: fewestRead, most: mostRead });
    }
  } catch (error) {
    await giveBack(clock.now() + pauseAfterFault);
    throw error;
  }
  return giveBack(clock.now());
}

type Sending = {
  readonly events: readonly QueuedEvent[];
  readonly isRetry: boolean;
  readonly position: LanePosition;
};

async function send(
  sending: Sending,
  options: DeliverLaneOptions,
  signal: AbortSignal,
): Promise<{ outcome: SendOutcome; attempt: NotedAttempt } | 'stopped' | 'signed out' | undefined> {
  const { lane, endpoint, source, gates, clock, writer, onSend, onOutcome } = options;
  if (!(await mayReceive(options))) return 'signed out';
  const pass = await gates.enter(endpoint.origin);
  if (pass === undefined) return undefined;
  let isReachable = true;
  try {
    if (signal.aborted) return 'stopped';
    const at = clock.now();
    onSend(at);
    writer.begin(sending.position);
    const outcome = await endpoint.send(toBatch(sending, { lane, source, at }), signal);
    onSend(undefined);
    onOutcome(outcome);
    isReachable = outcome.isAccepted || !outcome.isUnreachable;
    return { outcome, attempt: toAttempt(sending.events, outcome, { at, now: clock.now() }) };
  } catch (error) {
    if (signal.aborted) return 'stopped';
    throw error;
  } finally {
    pass.leave(isReachable);
  }
}

/** Whether the lane may send now. A suspended one sends no more than that it is suspended. */
async function mayReceive({
  lane,
  isSignedIn,
  receiver,
}: Pick<DeliverLaneOptions, 'lane' | 'isSignedIn' | 'receiver'>): Promise<boolean> {
  if (isSignedIn === undefined || receiver === undefined || lane.isSuspended) return true;
  return isSignedIn({ clientId: receiver.clientId, accountId: receiver.userId });
}

/** Undefined means: due at once if there are more events. */
type GiveBack = (dueAt?: number) => Promise<void>;

type FailedAttempt = {
  readonly giveBack: GiveBack;
  readonly position: LanePosition;
  readonly attempt: NotedAttempt;
  readonly failure: SendFailure;
};

/** A control body for an MCP client. */
function isControl(
  events: readonly QueuedEvent[],
  { hasControlBodies }: Pick<DeliveryEndpoint, 'hasControlBodies'>,
): boolean {
  return hasControlBodies === true && events.some(({ isNotice }) => isNotice);
}

/** For how long, and how often, what ends without the subscription is tried (M43, M46). */
const patienceWith = {
  refused: { attempts: 5, window: 15 * 60_000 },
  control: { attempts: 3, window: 5 * 60_000 },
} as const;

/** Whether the lane goes on with the next event although this one was not accepted. */
function isGivenUp(
  failed: FailedAttempt & { readonly isNotice: boolean; readonly now: number },
): boolean {
  const { position, attempt, failure, isNotice, now } = failed;
  if (!isNotice && failure.endsDelivery === undefined) return false;
  if (!isNotice && failure.endsDelivery === 'at once') return true;
  const { attempts, window } = isNotice ? patienceWith.control : patienceWith.refused;
  const failingSince = position.failingSince ?? attempt.at;
  return position.attempts + 1 >= attempts || now - failingSince >= window;
}

/** Events in a row that were given up, and how long that went on, before the subscription is suspended (M43). */
const [mostRefused, refusedFor] = [3, 3_600_000];

/** Gives up an event. Returns whether the subscription was suspended for it. */
async function giveUp(
  { position, attempt, failure, giveBack }: FailedAttempt,
  options: DeliverLaneOptions & { readonly refused: { count: number; since: number | undefined } },
): Promise<boolean> {
  const { lane, database, writer, clock, suspend, refused } = options;
  const now = clock.now();
  const given = { lane: lane.lane, number: attempt.last, reason: failure.error, now };
  await giveUpDelivery(database, given);
  refused.count += 1;
  refused.since ??= now;
  if (refused.count < mostRefused || now - refused.since < refusedFor) return false;
  position.attempts = 0;
  position.failingSince = undefined;
  position.cursor = attempt.last;
  await writer.note(position, attempt);
  await giveBack(now + pauseOnceGivenUp);
  // The store wrote it as the id of a subscription.
  await suspend(lane.subscriptionId as SubscriptionId, failure.reason);
  return true;
}

async function fail(
  {
    position,
    attempt,
    failure,
    giveBack,
    isNotice,
  }: FailedAttempt & { readonly isNotice: boolean },
  { lane, database, writer, clock, random, settings, suspend }: DeliverLaneOptions,
): Promise<void> {
  const failingSince = position.failingSince ?? attempt.at;
  position.attempts++;
  position.triedThrough = attempt.last;
  position.failingSince = failingSince;
  await writer.note(position, attempt);
  const now = clock.now();
  const failed = { ...position, failingSince, failure, now, fraction: random.fraction() };
  // The number of events that wait for a failing endpoint is bounded (N5).
  const isTooLong = lane.waiting > mostQueued && !lane.isEnding;
  const isShort = isNotice || failure.endsDelivery !== undefined;
  const retryWindow = (isNotice ? patienceWith.control : patienceWith.refused).window;
  const terms = isShort ? { ...settings, retryWindow } : settings;
  const retryAt = isTooLong ? undefined : planRetry(failed, terms);
  await giveBack(retryAt ?? now + pauseOnceGivenUp);
  if (retryAt !== undefined) return;
  if (lane.isEnding) return endLane(database, lane.lane);
  // The store wrote it as the id of a subscription.
  const reason = isTooLong ? 'ENDPOINT_RESOURCE_EXHAUSTED' : failure.reason;
  await suspend(lane.subscriptionId as SubscriptionId, reason);
}

function toPosition(claimed: ClaimedLane): LanePosition {
  const { lane, claim, cursor, attempts, triedThrough, failingSince } = claimed;
  return { lane, claim, cursor, attempts, triedThrough, failingSince };
}

/**
 * Counts the events of a failed batch, which is sent again unchanged: its id stands for exactly these events (E10.20).
 */
function countTried(
  events: readonly QueuedEvent[],
  { attempts, triedThrough }: LanePosition,
): number {
  return attempts > 0 ? events.filter(({ number }) => number <= triedThrough).length : 0;
}

/** As many events as the endpoint takes at once; fewer if they are large. */
function nextBatch(
  events: readonly QueuedEvent[],
  from: number,
  { batchSize }: Pick<DeliverLaneOptions['endpoint'], 'batchSize'>,
): readonly QueuedEvent[] {
  let [end, bytes] = [from, 0];
  for (; end < Math.min(from + batchSize, events.length); end++) {
    bytes += events[end]?.data.length ?? 0;
    if (end > from && bytes > bytesInBatch) break;
  }
  return events.slice(from, end);
}

function toBatch(
  { events, isRetry }: Sending,
  { lane, source, at }: Pick<DeliverLaneOptions, 'lane' | 'source'> & { readonly at: number },
): OutgoingBatch {
  const { payload } = lane;
  const outgoing = events.map((event) => toOutgoingEvent(event, { source, payload }));
  return {
    id: toBatchId(lane.subscriptionId, { first: outgoing[0], last: outgoing.at(-1) }),
    events: outgoing,
    at,
    isRetry,
    trace: events[0]?.trace,
  };
}

function toAttempt(
  events: readonly QueuedEvent[],
  outcome: SendOutcome,
  { at, now }: { at: number; now: number },
): NotedAttempt {
  return {
    first: events[0]?.number ?? 0,
    last: events.at(-1)?.number ?? 0,
    at,
    durationMs: !outcome.isAccepted && outcome.isUntold ? 0 : now - at,
    status: outcome.status,
    error: outcome.isAccepted ? undefined : outcome.error,
    answer: outcome.answer,
  };
}

export type RetrySettings = {
  /** Milliseconds, each of them. */
  readonly retryFirst: number;
  readonly retryMax: number;
  readonly retryWindow: number;
};

type FailedDelivery = {
  readonly failure: Pick<SendFailure, 'isFinal' | 'retryAfter'>;
  /** How often it has been tried, this time included. */
  readonly attempts: number;
  /** When the first attempt failed. */
  readonly failingSince: number;
  readonly now: number;
  /** In [0, 1), for jitter. */
  readonly fraction: number;
};

/**
 * When a failed delivery is tried again (E14.28, E14.29): after a pause that doubles, or later if the endpoint asks for
 * that, but at the end of the window at the latest. Undefined when it is given up: it still fails at the end of the
 * window, or the endpoint is gone for good (E2.38).
 */
export function planRetry(
  { failure, attempts, failingSince, now, fraction }: FailedDelivery,
  { retryFirst, retryMax, retryWindow }: RetrySettings,
): number | undefined {
  const windowEnd = failingSince + retryWindow;
  if (failure.isFinal || now >= windowEnd) return undefined;
  const delay = backoffDelay({ attempts, fraction, shortest: retryFirst, longest: retryMax });
  return Math.min(now + Math.max(delay, failure.retryAfter ?? 0), windowEnd);
}
