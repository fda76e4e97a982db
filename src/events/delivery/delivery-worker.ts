import type { Clock } from '../../kernel/clock.ts';
import type { Sealer } from '../../kernel/crypto/sealer.ts';
import type { Database } from '../../kernel/database/database.ts';
import { drawText } from '../../kernel/draw-text.ts';
import { createAlarm } from '../../kernel/lifecycle/alarm.ts';
import { giveWay } from '../../kernel/lifecycle/give-way.ts';
import type { Worker } from '../../kernel/lifecycle/worker.ts';
import type { Random } from '../../kernel/random.ts';
import { fullSubscriptionName } from '../model/subscription-name.ts';
import { type ClaimedLane, createLaneStore, type LaneKind } from '../store/lane-store.ts';
import { lanesChannel, lanesIn } from '../store/queue-store.ts';
import { deliverLane } from './deliver-lane.ts';
import type { Suspend } from './delivery-queues.ts';
import type { Endpoint, EndpointKinds, SendOutcome } from './endpoint.ts';
import { createLaneCalls, type LaneCall } from './lane-calls.ts';
import { openEndpoint } from './open-endpoint.ts';
import { createOriginGates } from './origin-gates.ts';
import type { RetrySettings } from './plan-retry.ts';
import { claimKey, createProgressWriter, type ProgressWriter } from './progress-writer.ts';
import { readSecrets } from './webhook/secret-rotation.ts';
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
  onOutcome?(outcome: SendOutcome): void;
  /** Told of each failure of the store or of a bug; the worker goes on and tries again by itself. */
  onFailure?(error: unknown): void;
};

/** How long lanes stay with a process that no longer answers. */
const leaseLength = 10_000;
/** Makes up for a lost notification. */
const longestSleep = 5_000;
const databasePause = 1_000;
/** How many lanes are delivered side by side; how many of them may be such as failed last time. */
const [lanesAtOnce, failingAtOnce] = [512, 128];
/** One that waits longer than this for its endpoint no longer counts among those, up to as many more. */
const slowAfter = 1_000;
const slowAtOnce = 1_536;
/** Few, so that processes woken together share the work. */
const lanesInClaim = 64;
/** What failed and falls due within so many milliseconds, or a tenth of the first pause, is tried in turn. */
const longestSlot = 100;
/** How long calls under way have to end when the process stops. */
const lastCalls = 2_000;

type RunningLane = {
  isFailing: boolean;
  readonly abort: AbortController;
  readonly call: LaneCall;
  sendingSince: number | undefined;
};

/**
 * The worker that delivers. It takes lanes that are due, each with a lease, and delivers many of them
 * side by side, one event at a time each. Several processes may run one on the same database; what a
 * dead one had in hand is taken over when its lease has ended (E12.9), on the embedded file at once.
 *
 * Endpoints that fail or are slow have places of their own, so that others keep theirs (E12.4). Those that
 * failed are tried again in slots of time, one after another and when nothing else is to be done.
 */
export function createDeliveryWorker(options: DeliveryWorkerOptions): Worker {
  const { database, kinds, sealer, clock, random, settings, sourceHost, suspend } = options;
  const { onOutcome = () => {}, onFailure = () => {} } = options;
  const store = createLaneStore(database);
  const failingSlot = Math.min(Math.max(settings.retryFirst / 10, 1), longestSlot);

  /** A secret that does not open is a fault of the installation: the lane waits until it is mended. */
  const openFor = async (lane: ClaimedLane, writer: ProgressWriter): Promise<Endpoint> => {
    const { endpoint, secrets, subscriptionId } = lane;
    try {
      const opened = secrets === undefined ? [] : readSecrets(sealer.open(secrets, subscriptionId));
      return openEndpoint(kinds, { endpoint, secrets: opened });
    } catch (error) {
      await writer.release(lane, clock.now() + longestSleep);
      throw error;
    }
  };

  return {
    name: 'events-delivery',
    async run(signal) {
      const owner = drawText(random, 12);
      const alarm = createAlarm(clock);
      const gates = createOriginGates();
      const lanes = new Map<string, RunningLane>();
      const calls = createLaneCalls(clock);
      const running = new Set<Promise<void>>();
      /** When to look for lanes to claim, as far as it is known. */
      const dueAt: Record<LaneKind, number> = { others: 0, failing: 0 };
      let isCrowded = false;
      let lookAgainAt = clock.now() + longestSleep;
      const writer = createProgressWriter({
        store,
        owner,
        clock,
        signal,
        onLost(claim) {
          lanes.get(claimKey(claim))?.abort.abort();
          lookAt({ others: 0, failing: 0 });
        },
        onDue: (first) => lookAt(first),
        onFailure,
      });

      const lookAt = ({ others, failing }: Readonly<Record<LaneKind, number>>): void => {
        if (others === Infinity && failing === Infinity) return;
        dueAt.others = Math.min(dueAt.others, others);
        dueAt.failing = Math.min(dueAt.failing, endOfSlot(failing, failingSlot));
        alarm.ring();
      };
      /** Lanes that are named are in hand, here or elsewhere. After a lost connection anything may be new. */
      const onAppended = (detail?: string): void => {
        const held = lanesIn(detail);
        if (held.length > 0) return void calls.tell(held);
        if (detail === undefined) calls.tellAll();
        // After the turn in which those who were told send what they read.
        const failing = detail === undefined ? 0 : Infinity;
        void clock.turn().then(() => lookAt({ others: 0, failing }));
      };

      const tellPlaceIsFree = (): void => {
        if (isCrowded || dueAt.failing <= clock.now()) alarm.ring();
      };

      const start = (lane: ClaimedLane, delay: number): void => {
        const state: RunningLane = {
          isFailing: lane.attempts > 0,
          abort: new AbortController(),
          call: calls.enter(lane.lane),
          sendingSince: undefined,
        };
        lanes.set(claimKey(lane), state);
        const delivering = deliver(lane, state, delay)
          .catch(onFailure)
          .finally(() => {
            state.call.leave();
            lanes.delete(claimKey(lane));
            running.delete(delivering);
            tellPlaceIsFree();
          });
        running.add(delivering);
      };

      const deliver = async (
        lane: ClaimedLane,
        state: RunningLane,
        delay: number,
      ): Promise<void> => {
        if (delay > 0) await clock.sleep(delay, signal);
        if (state.isFailing) await giveWay(clock);
        if (signal.aborted) state.abort.abort();
        const source = fullSubscriptionName(lane.subscriptionId, sourceHost);
        const shared = { store, writer, gates, clock, random, settings, suspend };
        const endpoint = await openFor(lane, writer);
        const onSend = (startedAt: number | undefined) => {
          state.sendingSince = startedAt;
        };
        const isToYield = () => isCrowded || signal.aborted;
        const told = (outcome: SendOutcome) => {
          onOutcome(outcome);
          if (!outcome.isAccepted || !state.isFailing) return;
          state.isFailing = false;
          tellPlaceIsFree();
        };
        const hooks = { isToYield, call: state.call, onSend, onOutcome: told };
        await deliverLane({ ...shared, lane, endpoint, source, ...hooks }, state.abort.signal);
      };

      /** Answers whether there may be more that are due. */
      const claim = async (kind: LaneKind): Promise<boolean> => {
        const free = freePlaces([...lanes.values()], clock.now(), kind);
        if (kind === 'others') isCrowded = free <= 0;
        if (free <= 0) return false;
        const limit = Math.min(free, lanesInClaim);
        if (kind === 'failing') await giveWay(clock);
        if (signal.aborted) return false;
        // Before it is asked: what falls due meanwhile is looked for once more.
        dueAt[kind] = Infinity;
        const claimed = await store.claim({ owner, now: clock.now(), limit, kind });
        const apart = kind === 'failing' ? failingSlot / claimed.length : 0;
        for (const [index, lane] of claimed.entries()) {
          if (lanes.has(claimKey(lane))) calls.tell([lane.lane]);
          else start(lane, index * apart);
        }
        if (claimed.length < limit) return false;
        dueAt[kind] = 0;
        return true;
      };

      const startDue = async (): Promise<void> => {
        const claimedAt = clock.now();
        if (claimedAt >= lookAgainAt) {
          await store.freeForgotten(owner, (lane) => lanes.has(claimKey(lane)));
          lookAgainAt = claimedAt + longestSleep;
          dueAt.others = dueAt.failing = 0;
        }
        if (claimedAt >= dueAt.others && (await claim('others'))) return;
        if (claimedAt >= dueAt.failing && (await claim('failing'))) return;
        // Counted from the moment of the claim, so that nothing that fell due since is overslept. What is
        // due and has no place is looked for when one is free.
        const next = await store.nextDueAt(claimedAt);
        next.failing = endOfSlot(next.failing, failingSlot);
        let wakeAt = claimedAt + (isCrowded ? slowAfter : longestSleep);
        for (const kind of ['others', 'failing'] as const) {
          const hasNoPlace = dueAt[kind] <= claimedAt;
          dueAt[kind] = Math.min(dueAt[kind], next[kind]);
          wakeAt = Math.min(wakeAt, hasNoPlace ? next[kind] : dueAt[kind]);
        }
        await alarm.sleep(wakeAt - clock.now(), signal);
      };

      const keepLease = async (): Promise<void> => {
        while (!signal.aborted) {
          await clock.sleep(leaseLength / 3, signal);
          const now = clock.now();
          const times = { now, until: now + leaseLength };
          await store.confirm(owner, times).then((freed) => {
            if (freed > 0) lookAt({ others: 0, failing: 0 });
          }, onFailure);
        }
      };

      await store.leave(owner);
      await store.confirm(owner, { now: clock.now(), until: clock.now() + leaseLength });
      const unlisten = await database.listen(lanesChannel, onAppended);
      const stopAnswering = await answerReaders({ database, owner, writer, onFailure });
      const keeping = keepLease();
      while (!signal.aborted) {
        try {
          await startDue();
        } catch (error) {
          onFailure(error);
          dueAt.others = dueAt.failing = 0;
          await clock.sleep(databasePause, signal);
        }
      }
      calls.tellAll();
      const drained = new AbortController();
      void clock.sleep(lastCalls, drained.signal).then(() => {
        for (const { abort } of lanes.values()) abort.abort();
      });
      await Promise.all(running);
      drained.abort();
      await keeping;
      await unlisten();
      await stopAnswering();
      await store.leave(owner).catch(onFailure);
    },
  };
}

/** What falls due within a slot of time is taken at its end, with one claim. */
function endOfSlot(dueAt: number, slot: number): number {
  return Math.ceil(dueAt / slot) * slot;
}

/** Those that wait long for their endpoint have places of their own; those that wait for more need none. */
function freePlaces(running: readonly RunningLane[], now: number, kind: LaneKind): number {
  const lanes = running.filter(({ call }) => !call.isWaiting);
  const slow = lanes.filter(
    ({ sendingSince }) => sendingSince !== undefined && now - sendingSince > slowAfter,
  ).length;
  const free = lanesAtOnce - (lanes.length - Math.min(slow, slowAtOnce));
  if (kind === 'others') return free;
  return Math.min(free, failingAtOnce - lanes.filter((lane) => lane.isFailing).length);
}
