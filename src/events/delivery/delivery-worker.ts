import type { Sealer } from '../../kernel/crypto/sealer.ts';
import type { Database } from '../../kernel/database/database.ts';
import { drawText, type Random } from '../../kernel/model/random.ts';
import { patienceWithWorker, type Worker } from '../../kernel/process/worker.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import type { IsSignedIn } from '../model/caller.ts';
import { fullSubscriptionName } from '../model/subscription.ts';
import {
  type Deliverer,
  lanesChannel,
  lanesChannelOf,
  readLaneNotice,
} from '../store/lanes/lane-notices.ts';
import { type ClaimedLane, keepAgreement, writeProgress } from '../store/lanes/lane-store.ts';
import { findSubscription } from '../store/subscription-store.ts';
import { createScheduler, takeStep } from './create-scheduler.ts';
import type { Suspend } from './delivery-queues.ts';
import { type EndpointKinds, openEndpoint, type SendOutcome } from './endpoints/endpoint.ts';
import { readSecrets } from './endpoints/rotate-signing-secret.ts';
import type { RetrySettings } from './lanes/deliver-lane.ts';
import { createLanePool, createLeaseKeeper } from './lanes/lane-pool.ts';
import { createProgressWriter, type ProgressWriter } from './progress-writer.ts';
import { answerReaders } from './written-progress.ts';

export type DeliveryWorkerOptions = {
  readonly database: Database;
  readonly kinds: EndpointKinds;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: RetrySettings;
  /** The host in the full names of subscriptions. */
  readonly sourceHost: string;
  readonly suspend: Suspend;
  /** Whether the person of a subscription may still receive anything; without it everybody may. */
  readonly isSignedIn?: IsSignedIn | undefined;
  /** Names this worker while it runs and has free places. */
  readonly deliverer: Deliverer;
  onOutcome?(outcome: SendOutcome): void;
  /** Called for each failure of the store and for bugs; the worker goes on and retries by itself. */
  onFailure?(error: unknown): void;
};

const databasePause = 1_000;
/** The pause before a lane whose secret cannot be unsealed is tried again. */
const pauseAfterFault = 5_000;
const atOnce = { others: 0, failing: 0 };

/**
 * The worker that delivers events. It claims due lanes under a lease and delivers many of them in parallel, each with
 * one call at a time. Several processes may run one on the same database. If one dies, others take over its lanes when
 * its lease has ended (E12.9), on the embedded file at once.
 *
 * It joins four parts: the schedule decides what to do next, the pool delivers lanes, the writer stores their progress,
 * and the keeper renews the lease. Failing lanes are retried in slots of time: they start one after another and let
 * other work on the event loop go first.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions): Worker {
  return {
    name: 'events-delivery',
    movesWithin: patienceWithWorker,
    run: (signal, move = () => {}) => deliver(options, { signal, move }),
  };
}

async function deliver(
  options: DeliveryWorkerOptions,
  { signal, move }: { readonly signal: AbortSignal; move(): void },
): Promise<void> {
  const { database, clock, deliverer, onFailure = () => {} } = options;
  const owner = drawText(options.random, 12);
  const parts = joinParts(options, { owner, signal });
  const { pool, writer, leases, scheduler } = parts;

  await leases.begin();
  const listening = [
    await database.listen(lanesChannel, parts.onAnyDue),
    await database.listen(lanesChannelOf(owner), parts.onAppended, { isOwn: true }),
    await answerReaders({ database, owner, writer, onFailure }),
  ];
  const keeping = leases.keep(signal);
  while (!signal.aborted) {
    const now = clock.now();
    const free = pool.freePlaces(now);
    const { step, isCrowded } = scheduler.decide({ now, free });
    deliverer.owner = isCrowded ? undefined : owner;
    try {
      await takeStep(step, { database, pool, owner, clock, signal, ...scheduler });
      move();
    } catch (error) {
      onFailure(error);
      await clock.sleep(databasePause, signal);
      scheduler.change({ kind: 'due', first: atOnce });
      scheduler.change({ kind: 'woken', now: clock.now() });
    }
  }
  deliverer.owner = undefined;
  await pool.drain();
  await keeping;
  for (const unlisten of listening) await unlisten();
  await leases.end();
}

function joinParts(
  options: DeliveryWorkerOptions,
  { owner, signal }: { readonly owner: string; readonly signal: AbortSignal },
) {
  const { database, clock, onOutcome = () => {}, onFailure = () => {} } = options;
  const scheduler = createScheduler(options);
  const writer = createProgressWriter({
    write: (written) => writeProgress(database, written),
    owner,
    clock,
    signal,
    onLost(claim) {
      pool.lose(claim);
      scheduler.onDue(atOnce);
    },
    onDue: scheduler.onDue,
    onFailure,
  });
  const pool = createLanePool({
    ...options,
    writer,
    signal,
    open: (lane) => openLane(lane, { ...options, writer }),
    isCrowded: scheduler.isCrowded,
    onPlaceFree: scheduler.onPlaceFree,
    onOutcome,
    onFailure,
  });
  const leases = createLeaseKeeper({
    database,
    owner,
    clock,
    onFreed: () => scheduler.onDue(atOnce),
    onFailure,
  });
  return {
    scheduler,
    writer,
    pool,
    leases,
    /**
     * Lanes are due, for the first process that claims them. Without a detail the connection was lost, so any lane may
     * have new events.
     */
    onAnyDue(detail?: string): void {
      if (detail === undefined) pool.tellAll();
      scheduler.onDue({ others: 0, failing: detail === undefined ? 0 : Infinity });
    },
    onAppended(detail?: string): void {
      const notice = readLaneNotice(detail);
      if (notice === undefined) return;
      if (notice.kind === 'drop') return void pool.drop(notice.lanes);
      if (notice.kind === 'read') return void pool.tell(notice.lanes);
      scheduler.change({ kind: 'told', lanes: notice.lanes });
      // One turn later, so that the lanes that were notified send first what they have read.
      void clock.turn().then(scheduler.alarm.ring);
    },
  };
}

/** A secret that cannot be unsealed is a fault of the installation, so the lane is retried until that is fixed. */
async function openLane(
  lane: ClaimedLane,
  options: DeliveryWorkerOptions & { readonly writer: ProgressWriter },
) {
  const { database, kinds, sealer, clock, sourceHost, isSignedIn, writer } = options;
  const { endpoint, secrets, subscriptionId } = lane;
  try {
    const opened = secrets === undefined ? [] : readSecrets(sealer.open(secrets, subscriptionId));
    const source = fullSubscriptionName(subscriptionId, sourceHost);
    const keep = () => keepAgreement(database, lane.lane);
    const agreement = { isGiven: lane.isAgreed, keep };
    return {
      endpoint: openEndpoint(kinds, { endpoint, secrets: opened, agreement }),
      source,
      receiver: isSignedIn && (await findSubscription(database, subscriptionId)),
    };
  } catch (error) {
    await writer.release(lane, clock.now() + pauseAfterFault);
    throw error;
  }
}
