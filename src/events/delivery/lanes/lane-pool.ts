import type { Database } from '../../../kernel/database/database.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import { createQueue } from '../../../kernel/wait/queue.ts';
import { giveWay } from '../../../kernel/wait/turns.ts';
import { leaseLength } from '../../../kernel/work/lease.ts';
import { eventsLimits } from '../../limits.ts';
import {
  type ClaimedLane,
  confirmWorker,
  type LaneClaim,
  type LaneKind,
  type LaneRange,
  leaveLanes,
  readLane,
} from '../../store/lanes/lane-store.ts';
import { slowAfter } from '../delivery-schedule.ts';
import type { SendOutcome } from '../endpoints/endpoint.ts';
import { createOriginGates } from '../endpoints/origin-gates.ts';
import { claimKey } from '../progress-writer.ts';
import { type DeliverLaneOptions, deliverLane } from './deliver-lane.ts';
import { createLaneCalls, type LaneCall } from './lane-calls.ts';

/** The lanes that this process delivers, side by side. */
export type LanePool = {
  /** Delivers a lane after a delay, until it is given back. */
  start(lane: ClaimedLane, delay: number): void;
  has(claim: LaneClaim): boolean;
  /** Stops a lane that went to another process. */
  lose(claim: LaneClaim): void;
  /** Stops lanes that nobody delivers any more. */
  drop(lanes: readonly number[]): void;
  /** Notifies the named lanes that this process holds. */
  tell(lanes: readonly number[]): void;
  tellAll(): void;
  freePlaces(now: number): Record<LaneKind, number>;
  /** Resolves when every lane is given back; calls under way have two seconds to end. */
  drain(): Promise<void>;
};

type LanePoolOptions = Pick<
  DeliverLaneOptions,
  'database' | 'writer' | 'clock' | 'random' | 'settings' | 'suspend' | 'isSignedIn'
> & {
  /** Once it has fired no delivery begins. */
  readonly signal: AbortSignal;
  open(lane: ClaimedLane): Promise<Pick<DeliverLaneOptions, 'endpoint' | 'source' | 'receiver'>>;
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
  const reads = createQueue(eventsLimits.lanesReadingAtOnce.value);

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
    drop(dropped) {
      for (const [key, { abort }] of lanes)
        if (dropped.some((lane) => key.startsWith(`${lane}.`))) abort.abort();
    },
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

/** How a lane counts against the places of a process. */
type LaneLoad = {
  /** It has delivered all and waits for more. */
  readonly isWaiting: boolean;
  readonly isFailing: boolean;
  /** Since when it has been waiting for its endpoint; undefined while it is not. */
  readonly sendingSince: number | undefined;
};

/** How many lanes are delivered side by side, and how many of them may be failing lanes. */
const [lanesAtOnce, failingAtOnce] = [512, 128];
/** How many lanes that wait long for their endpoint have places of their own. */
const slowAtOnce = 1_536;

/**
 * How many more lanes of each kind have a place. Lanes with a failing or slow endpoint have separate places, so that
 * the others keep theirs (E12.4). Lanes that wait for more events need none.
 */
function freePlaces(loads: Iterable<LaneLoad>, now: number): Record<LaneKind, number> {
  let [working, slow, failing] = [0, 0, 0];
  for (const { isWaiting, isFailing, sendingSince } of loads) {
    if (isWaiting) continue;
    working++;
    if (isFailing) failing++;
    if (sendingSince !== undefined && now - sendingSince > slowAfter) slow++;
  }
  const others = lanesAtOnce - (working - Math.min(slow, slowAtOnce));
  return { others, failing: Math.min(others, failingAtOnce - failing) };
}

/** Keeps the lease that lets only this process deliver the lanes it has claimed. */
type LeaseKeeper = {
  /** Takes the lease, and frees the lanes that a process of this name held before. */
  begin(): Promise<void>;
  /**
   * Renews the lease until the signal fires, and frees the lanes of processes whose lease has
   * ended.
   */
  keep(signal: AbortSignal): Promise<void>;
  /** Frees the lanes for others at once. */
  end(): Promise<void>;
};

export function createLeaseKeeper(options: {
  readonly database: Database;
  readonly owner: string;
  readonly clock: Clock;
  /** Lanes of others became free. */
  onFreed(): void;
  onFailure(error: unknown): void;
}): LeaseKeeper {
  const { database, owner, clock, onFreed, onFailure } = options;
  const confirm = () => {
    const now = clock.now();
    return confirmWorker(database, owner, { now, until: now + leaseLength });
  };

  return {
    async begin() {
      await leaveLanes(database, owner);
      await confirm();
    },
    async keep(signal) {
      while (!signal.aborted) {
        await clock.sleep(leaseLength / 3, signal);
        await confirm().then((freed) => {
          if (freed > 0) onFreed();
        }, onFailure);
      }
    },
    end: () => leaveLanes(database, owner).catch(onFailure),
  };
}
