import type { Clock } from '../../kernel/clock.ts';
import type { Sealer } from '../../kernel/crypto/sealer.ts';
import type { Database } from '../../kernel/database/database.ts';
import { drawText } from '../../kernel/draw-text.ts';
import { createAlarm } from '../../kernel/lifecycle/alarm.ts';
import { patienceWithWorker, type Worker } from '../../kernel/lifecycle/worker.ts';
import type { Random } from '../../kernel/random.ts';
import { fullSubscriptionName } from '../model/subscription-name.ts';
import {
  type Deliverer,
  lanesChannel,
  lanesChannelOf,
  readLaneNotice,
} from '../store/lanes/lane-notices.ts';
import {
  type ClaimedLane,
  keepAgreement,
  type LaneKind,
  writeProgress,
} from '../store/lanes/lane-store.ts';
import type { Suspend } from './delivery-queues.ts';
import {
  changeSchedule,
  decideStep,
  isPlaceAwaited,
  noteCrowd,
  openSchedule,
  type ScheduleEvent,
} from './delivery-schedule.ts';
import type { EndpointKinds, SendOutcome } from './endpoints/endpoint.ts';
import { openEndpoint } from './endpoints/open-endpoint.ts';
import { readSecrets } from './endpoints/webhook/secret-rotation.ts';
import { createLanePool } from './lanes/lane-pool.ts';
import { createLeaseKeeper } from './lanes/lease-keeper.ts';
import type { RetrySettings } from './lanes/plan-retry.ts';
import { takeStep } from './lanes/take-step.ts';
import { createProgressWriter, type ProgressWriter } from './progress/progress-writer.ts';
import { answerReaders } from './progress/written-progress.ts';

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
  /** Knows the worker while it runs and has places. */
  readonly deliverer: Deliverer;
  onOutcome?(outcome: SendOutcome): void;
  /** Told of each failure of the store or of a bug; the worker goes on and tries again by itself. */
  onFailure?(error: unknown): void;
};

const databasePause = 1_000;
/** When a lane comes again whose secret does not open. */
const pauseAfterFault = 5_000;
/** What failed and falls due within so many milliseconds, or a tenth of the first pause, is tried in turn. */
const longestSlot = 100;
const atOnce = { others: 0, failing: 0 };

/**
 * The worker that delivers. It takes lanes that are due, each with a lease, and delivers many of them
 * side by side, one event at a time each. Several processes may run one on the same database; what a
 * dead one had in hand is taken over when its lease has ended (E12.9), on the embedded file at once.
 *
 * It joins four parts: the schedule decides what to do next, the pool delivers lanes, the writer writes down
 * how far they have come, and the keeper keeps the lease. What failed is tried again in slots of time, one
 * after another and when nothing else is to be done.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions): Worker {
  const { database, clock, random, settings, deliverer } = options;
  const { onOutcome = () => {}, onFailure = () => {} } = options;
  const slot = Math.min(Math.max(settings.retryFirst / 10, 1), longestSlot);

  return {
    name: 'events-delivery',
    movesWithin: patienceWithWorker,
    async run(signal, move = () => {}) {
      const owner = drawText(random, 12);
      const alarm = createAlarm(clock);
      let schedule = openSchedule(clock.now());
      const change = (event: ScheduleEvent): void => {
        schedule = changeSchedule(schedule, event, slot);
      };
      const onDue = (first: Readonly<Record<LaneKind, number>>): void => {
        if (first.others === Infinity && first.failing === Infinity) return;
        change({ kind: 'due', first });
        alarm.ring();
      };
      const writer = createProgressWriter({
        write: (written) => writeProgress(database, written),
        owner,
        clock,
        signal,
        onLost(claim) {
          pool.lose(claim);
          onDue(atOnce);
        },
        onDue,
        onFailure,
      });
      const pool = createLanePool({
        ...options,
        writer,
        signal,
        open: (lane) => openLane(lane, { ...options, writer }),
        isCrowded: () => schedule.isCrowded,
        onPlaceFree() {
          if (isPlaceAwaited(schedule, clock.now())) alarm.ring();
        },
        onOutcome,
        onFailure,
      });
      const leases = createLeaseKeeper({
        database,
        owner,
        clock,
        onFreed: () => onDue(atOnce),
        onFailure,
      });

      /** Something is to be claimed, by whoever comes first. After a lost connection anything may be new. */
      const onAnyDue = (detail?: string): void => {
        if (detail === undefined) pool.tellAll();
        onDue({ others: 0, failing: detail === undefined ? 0 : Infinity });
      };
      const onAppended = (detail?: string): void => {
        const notice = readLaneNotice(detail);
        if (notice === undefined) return;
        if (notice.kind === 'read') return void pool.tell(notice.lanes);
        change({ kind: 'told', lanes: notice.lanes });
        // After the turn in which those who were told send what they read.
        void clock.turn().then(alarm.ring);
      };

      const parts = { database, pool, owner, clock, alarm, slot, signal, change };
      await leases.begin();
      const listening = [
        await database.listen(lanesChannel, onAnyDue),
        await database.listen(lanesChannelOf(owner), onAppended, { isOwn: true }),
        await answerReaders({ database, owner, writer, onFailure }),
      ];
      const keeping = leases.keep(signal);
      while (!signal.aborted) {
        move();
        const now = clock.now();
        const free = pool.freePlaces(now);
        schedule = noteCrowd(schedule, { now, free });
        deliverer.owner = schedule.isCrowded ? undefined : owner;
        await takeStep(decideStep(schedule, { now, free }), parts).catch(async (error) => {
          onFailure(error);
          await clock.sleep(databasePause, signal);
          change({ kind: 'due', first: atOnce });
          change({ kind: 'woken', now: clock.now() });
        });
      }
      deliverer.owner = undefined;
      await pool.drain();
      await keeping;
      for (const unlisten of listening) await unlisten();
      await leases.end();
    },
  };
}

/** A secret that does not open is a fault of the installation: the lane waits until it is mended. */
async function openLane(
  lane: ClaimedLane,
  options: DeliveryWorkerOptions & { readonly writer: ProgressWriter },
) {
  const { database, kinds, sealer, clock, sourceHost, writer } = options;
  const { endpoint, secrets, subscriptionId } = lane;
  try {
    const opened = secrets === undefined ? [] : readSecrets(sealer.open(secrets, subscriptionId));
    const source = fullSubscriptionName(subscriptionId, sourceHost);
    const keep = () => keepAgreement(database, lane.lane);
    const agreement = { isGiven: lane.isAgreed, keep };
    return { endpoint: openEndpoint(kinds, { endpoint, secrets: opened, agreement }), source };
  } catch (error) {
    await writer.release(lane, clock.now() + pauseAfterFault);
    throw error;
  }
}
