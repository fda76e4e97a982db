import type { Sealer } from '../../kernel/crypto/sealer.ts';
import type { Queries, Transaction } from '../../kernel/database/database.ts';
import type { Random } from '../../kernel/model/random.ts';
import type { Metrics } from '../../kernel/telemetry/metrics.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { rememberAnswer } from '../../kernel/wait/remembered.ts';
import type { Application } from '../model/application.ts';
import { accountOf } from '../model/caller.ts';
import type { NewEvent, QueuedEvent } from '../model/event.ts';
import { makeSigningSecret } from '../model/signing-secret.ts';
import type { Subscription, SubscriptionId, SuspensionReason } from '../model/subscription.ts';
import {
  dropLane,
  endLaneOf,
  finishLane,
  insertLane,
  isLaneAgreed,
  narrowLane,
  readLaneSecrets,
  renewLane,
  resumeHeldLane,
  resumeLane,
  seesAllEvents,
  suspendLane,
  writeLaneSecrets,
} from '../store/lanes/lane-life-store.ts';
import type { Deliverer } from '../store/lanes/lane-notices.ts';
import { type QueueMeasures, readQueueMeasures } from '../store/queue/measure-store.ts';
import {
  appendToLanes,
  eventKey,
  findLanes,
  insertEvents,
  type QueueEntry,
} from '../store/queue/queue-store.ts';
import type { EndpointKinds } from './endpoints/endpoint.ts';
import { readSecrets, rotateSecrets } from './endpoints/rotate-signing-secret.ts';

type QueueOpening = {
  readonly subscription: Subscription;
  /** As the request gave it, see `checkEndpoint`. If it is missing, a new one is made for a webhook. */
  readonly signingSecret: string | undefined;
  /** The subscription was created by an admin, who sees what every account publishes (F7). */
  readonly seesAll: boolean;
  /** The application that the target belongs to. */
  readonly application: Application;
};

/**
 * The queues of events, one per subscription. Every call is part of the transaction that changes the subscription,
 * so both happen or neither.
 */
export type DeliveryQueues = {
  /** Opens the queue of a new subscription and returns the signing secret of a webhook. */
  open(tx: Transaction, opening: QueueOpening): Promise<string | undefined>;
  /** Whether the endpoint ever agreed to get events, or need not be asked (N3). */
  isAgreed(queries: Pick<Queries, 'first'>, id: SubscriptionId): Promise<boolean>;
  /** Appends a lifecycle event, which is delivered also while the subscription is suspended. */
  enqueue(
    tx: Transaction,
    notice: { readonly id: SubscriptionId; readonly event: NewEvent },
  ): Promise<void>;
  /** Suspension: waiting and new events are held. */
  hold(
    tx: Transaction,
    suspension: { readonly id: SubscriptionId; readonly reason: SuspensionReason },
  ): Promise<void>;
  /** Reactivation: new events are delivered again; held events stay held. */
  resume(tx: Transaction, id: SubscriptionId): Promise<void>;
  /** Whether the owner gets what every account publishes. */
  seesAll(queries: Pick<Queries, 'first'>, id: SubscriptionId): Promise<boolean>;
  /** From now on the owner gets only what its own account publishes, where the visibility is `own` (F51). */
  narrow(tx: Pick<Transaction, 'run'>, id: SubscriptionId): Promise<unknown>;
  /** Expiry: waiting events are still delivered, the `expired` event last; then the queue is removed. */
  finish(tx: Transaction, id: SubscriptionId): Promise<void>;
  /** Deletion: no more events are delivered. */
  remove(tx: Transaction, id: SubscriptionId): Promise<void>;
  /** Ends the queue at once; its endpoint gets only this control body, if it is a webhook (M45). */
  terminate(
    tx: Transaction,
    ending: { readonly id: SubscriptionId; readonly event: NewEvent },
  ): Promise<void>;
  /**
   * An MCP client asked again (M22): the queue lasts until the new time, what was held is delivered, and the secret is
   * replaced, the old one signing for a while longer (M23).
   */
  refresh(tx: Transaction, renewal: QueueRenewal): Promise<void>;
  /** Fills the queue of a new subscription with stored events (M24). */
  refill(
    tx: Transaction,
    stored: { readonly id: SubscriptionId; readonly events: readonly number[] },
  ): Promise<void>;
};

export type QueueRenewal = {
  readonly id: SubscriptionId;
  readonly expiresAt: number;
  /** Of a webhook. */
  readonly signingSecret: string | undefined;
  readonly isSuspended: boolean;
};

/** How long an MCP subscription signs by the previous secret too (M23). */
const mcpOverlap = 10 * 60_000;

/** Suspends a subscription whose deliveries were given up; does nothing if it is no longer active. */
export type Suspend = (id: SubscriptionId, reason: SuspensionReason) => Promise<void>;

type DeliveryQueuesOptions = {
  readonly kinds: EndpointKinds;
  readonly sealer: Sealer;
  readonly random: Random;
  readonly clock: Clock;
  readonly deliverer: Deliverer;
};

/** Makes the queues as subscriptions use them; see {@link DeliveryQueues}. */
export function createDeliveryQueues(options: DeliveryQueuesOptions): DeliveryQueues {
  const { kinds, sealer, random, clock, deliverer } = options;

  return {
    async open(tx, { subscription, signingSecret, seesAll, application }) {
      const { id, uid, principal, clientId, userId } = subscription;
      const endpoint = subscription.notificationEndpoint;
      const isWebhook = endpoint.kind === 'webhook';
      const secret = isWebhook ? (signingSecret ?? makeSigningSecret(random)) : undefined;
      await insertLane(tx, {
        subscriptionId: id,
        uid,
        principal,
        account: accountOf({ subject: userId ?? clientId, isPerson: userId !== undefined }),
        seesAll,
        endpoint,
        payload: payloadOf(subscription, application),
        // An MCP client had it answer a challenge before (M29).
        isAgreed: !(
          isWebhook &&
          endpoint.mcpId === undefined &&
          kinds.webhook.isAskedLater?.(endpoint)
        ),
        secrets: secret === undefined ? undefined : sealer.seal(secret, id),
        isPushed: endpoint.kind !== 'eventStream' && kinds[endpoint.kind] !== undefined,
        isNarrow: application.isNarrow?.(subscription) ?? false,
        expiresAt: subscription.mcp && subscription.expiresAt,
      });
      return secret;
    },
    async enqueue(tx, { id, event }) {
      const now = clock.now();
      const position = (await insertEvents(tx, [event], now)).get(eventKey(event));
      if (position === undefined) return;
      const queued = await entriesFor(tx, id, [{ event: position, createdAt: now }]);
      await appendToLanes(tx, queued, { now, deliverer, isNotice: true });
    },
    isAgreed: isLaneAgreed,
    hold: suspendLane,
    resume: resumeLane,
    seesAll: seesAllEvents,
    narrow: narrowLane,
    finish: (tx, id) => finishLane(tx, { id, now: clock.now() }),
    remove: endLaneOf,
    async terminate(tx, { id, event }) {
      if (!(await dropLane(tx, id))) return;
      const position = (await insertEvents(tx, [event], clock.now())).get(eventKey(event));
      if (position === undefined) return;
      const now = clock.now();
      const queued = await entriesFor(tx, id, [{ event: position, createdAt: now }]);
      await appendToLanes(tx, queued, { now, deliverer, isNotice: true });
    },
    async refresh(tx, { id, expiresAt, signingSecret, isSuspended }) {
      if (isSuspended) await resumeHeldLane(tx, { id, now: clock.now() });
      await renewLane(tx, { id, expiresAt });
      const sealed = signingSecret === undefined ? undefined : await readLaneSecrets(tx, id);
      if (signingSecret === undefined || sealed === undefined) return;
      const stored = sealer.open(sealed, id);
      if (readSecrets(stored)[0]?.secret === signingSecret) return;
      const until = clock.now() + mcpOverlap;
      const secrets = sealer.seal(rotateSecrets(stored, { secret: signingSecret, until }), id);
      await writeLaneSecrets(tx, { id, secrets });
    },
    async refill(tx, { id, events }) {
      const now = clock.now();
      const entries = events.map((event) => ({ event, createdAt: now }));
      if (entries.length === 0) return;
      await appendToLanes(tx, await entriesFor(tx, id, entries), { now, deliverer });
    },
  };
}

async function entriesFor(tx: Transaction, id: SubscriptionId, entries: readonly QueueEntry[]) {
  return new Map((await findLanes(tx, [id])).map((lane) => [lane, entries]));
}

/** What MCP clients get is as published, unless the application keeps resources to itself (M9). */
function payloadOf({ mcp, payloadOptions }: Subscription, { resourceData }: Application) {
  if (resourceData === 'always' || (mcp !== undefined && resourceData !== 'never'))
    return undefined;
  return payloadOptions ?? nameOnly;
}

const nameOnly = { includeResource: false, fieldMask: [] };

/** How long a reading is cached, in milliseconds. */
const validity = 10_000;

/**
 * Reports how many events wait for delivery and for how long, whenever metrics are scraped (T5). Every process on a
 * database reports the same values: take the maximum, not the sum. If the store does not answer, the last values stay.
 */
export function observeQueues(options: {
  readonly metrics: Metrics;
  readonly database: Queries;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}): void {
  const { metrics, database, clock, onFailure } = options;
  const latest = rememberAnswer({
    keptFor: validity,
    clock,
    ask: () => readQueueMeasures(database),
  });
  const show = (name: string, help: string, measure: (measures: QueueMeasures) => number) =>
    metrics.gauge({
      name: `events_${name}`,
      help,
      collect: (gauge) => latest.get().then((measures) => gauge.set(measure(measures)), onFailure),
    });
  const secondsSince = (since: number | undefined) =>
    since === undefined ? 0 : Math.max(0, clock.now() - since) / 1_000;

  show('queued', 'Events that are still to be delivered to subscriptions.', ({ queued }) => queued);
  show('queue_age_seconds', 'How long the most overdue delivery has waited for its turn.', (m) =>
    secondsSince(m.dueSince),
  );
  show(
    'failing_lanes',
    'Subscriptions whose receiver does not accept events.',
    (m) => m.failingLanes,
  );
  show('failing_seconds', 'How long the longest failing receiver has been failing.', (m) =>
    secondsSince(m.failingSince),
  );
  show('suspended_lanes', 'Subscriptions that are suspended.', (m) => m.suspendedLanes);
  show(
    'undelivered',
    'Events that were held or given up, whether or not they were sent again since.',
    (m) => m.undelivered,
  );
}

/** About how many bytes of data a reader of a queue holds in memory. */
const bytesRead = 128 * 1024;

/** How many events to read next, by the size of those that were read last. */
export function nextLimit(
  events: readonly Pick<QueuedEvent, 'data'>[],
  { fewest, most }: { readonly fewest: number; readonly most: number },
): number {
  const bytes = events.reduce((sum, { data }) => sum + data.length, 0);
  const fitting = Math.floor((bytesRead * events.length) / Math.max(bytes, 1));
  return Math.min(Math.max(fitting, fewest), most);
}
