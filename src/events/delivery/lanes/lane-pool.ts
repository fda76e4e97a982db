import { giveWay } from '../../../kernel/lifecycle/give-way.ts';
import { createTurnstile } from '../../../kernel/turnstile.ts';
import { eventsLimits } from '../../limits.ts';
import {
  type ClaimedLane,
  type LaneClaim,
  type LaneKind,
  type LaneRange,
  readLane,
} from '../../store/lanes/lane-store.ts';
import type { DeliveryEndpoint, SendOutcome } from '../endpoints/endpoint.ts';
import { createOriginGates } from '../endpoints/origin-gates.ts';
import { claimKey } from '../progress/progress-writer.ts';
import { type DeliverLaneOptions, deliverLane } from './deliver-lane.ts';
import { createLaneCalls, type LaneCall } from './lane-calls.ts';
import { freePlaces } from './lane-places.ts';

/** The lanes that this process delivers, side by side. */
export type LanePool = {
  /** Delivers a lane after a delay, until it is given back. */
  start(lane: ClaimedLane, delay: number): void;
  has(claim: LaneClaim): boolean;
  /** Stops a lane that went to another process. */
  lose(claim: LaneClaim): void;
  /** Notifies the named lanes that this process holds. */
  tell(lanes: readonly number[]): void;
  tellAll(): void;
  freePlaces(now: number): Record<LaneKind, number>;
  /** Resolves when every lane is given back; calls under way have two seconds to end. */
  drain(): Promise<void>;
};

export type LanePoolOptions = Pick<
  DeliverLaneOptions,
  'database' | 'writer' | 'clock' | 'random' | 'settings' | 'suspend'
> & {
  /** Once it has fired no delivery begins. */
  readonly signal: AbortSignal;
  open(
    lane: ClaimedLane,
  ): Promise<{ readonly endpoint: DeliveryEndpoint; readonly source: string }>;
  /** Whether other lanes wait for a place. */
  isCrowded(): boolean;
  onPlaceFree(): void;
  onOutcome(outcome: SendOutcome): void;
  onFailure(error: unknown): void;
};

/** How long calls under way have to end when the process stops. */
const lastCalls = 2_000;

type RunningLane = {
  isFailing: boolean;
  readonly abort: AbortController;
  readonly call: LaneCall;
  sendingSince: number | undefined;
};

export function createLanePool(options: LanePoolOptions): LanePool {
  const { clock, signal, open, isCrowded, onPlaceFree, onOutcome, onFailure } = options;
  const lanes = new Map<string, RunningLane>();
  const running = new Set<Promise<void>>();
  const calls = createLaneCalls(clock);
  const gates = createOriginGates();
  const reads = createTurnstile(eventsLimits.lanesReadingAtOnce.value);

  const deliver = async (lane: ClaimedLane, state: RunningLane, delay: number): Promise<void> => {
    if (delay > 0) await clock.sleep(delay, signal);
    if (state.isFailing) await giveWay(clock);
    if (signal.aborted) state.abort.abort();
    const opened = await open(lane);
    const told = (outcome: SendOutcome) => {
      onOutcome(outcome);
      if (!outcome.isAccepted || !state.isFailing) return;
      state.isFailing = false;
      onPlaceFree();
    };
    const hooks = {
      read: (range: LaneRange) => reads.pass(() => readLane(options.database, lane, range)),
      call: state.call,
      isToYield: () => isCrowded() || signal.aborted,
      onSend(startedAt: number | undefined) {
        state.sendingSince = startedAt;
      },
      onOutcome: told,
    };
    await deliverLane({ ...options, ...opened, ...hooks, lane, gates }, state.abort.signal);
  };

  return {
    start(lane, delay) {
      const key = claimKey(lane);
      const state: RunningLane = {
        isFailing: lane.attempts > 0,
        abort: new AbortController(),
        call: calls.enter(lane.lane),
        sendingSince: undefined,
      };
      lanes.set(key, state);
      const delivering = deliver(lane, state, delay)
        .catch(onFailure)
        .finally(() => {
          state.call.leave();
          lanes.delete(key);
          running.delete(delivering);
          onPlaceFree();
        });
      running.add(delivering);
    },
    has: (claim) => lanes.has(claimKey(claim)),
    lose: (claim) => lanes.get(claimKey(claim))?.abort.abort(),
    tell: calls.tell,
    tellAll: calls.tellAll,
    freePlaces: (now) => freePlaces(loadsOf(lanes.values()), now),
    async drain() {
      calls.tellAll();
      const drained = new AbortController();
      void clock.sleep(lastCalls, drained.signal).then(() => {
        for (const { abort } of lanes.values()) abort.abort();
      });
      await Promise.all(running);
      drained.abort();
    },
  };
}

function* loadsOf(lanes: Iterable<RunningLane>) {
  for (const { isFailing, sendingSince, call } of lanes) {
    yield { isFailing, sendingSince, isWaiting: call.isWaiting };
  }
}
