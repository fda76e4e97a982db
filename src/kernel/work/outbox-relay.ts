import type { Database } from '../database/database.ts';
import { drawText, type Random } from '../model/random.ts';
import {
  createPruner,
  type PrunerOptions,
  type Pruning,
  patienceWithWorker,
  type Worker,
} from '../process/worker.ts';
import { backoffDelay, createAlarm } from '../wait/alarm.ts';
import type { Clock } from '../wait/clock.ts';
import type { EventBus, EventFailure } from './event-bus.ts';
import { leaseLength, withLease } from './lease.ts';
import {
  claimOutboxLanes,
  confirmConsumer,
  deleteConsumers,
  deleteUnwantedEvents,
  finishOutboxBatch,
  type Lane,
  nextRetryAt,
  outboxBatchSize,
  outboxChannel,
  readOutboxBatch,
  registerConsumers,
  renewOutboxLane,
  type WaitingEvent,
} from './outbox.ts';

type OutboxRelayOptions = {
  readonly database: Database;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly random: Random;
  /** Called for each failure; the relay goes on and retries by itself. */
  readonly onFailure?: (failure: EventFailure) => void;
};

/** The longest delay until lanes of a dead holder, or events of a lost notification, are found. */
const longestSleep = 3_000;
const databasePause = 1_000;

/**
 * Registers the consumers of the bus, for which events are stored from now on, and returns the
 * worker that delivers them: at least once, in order per key, woken by the transaction that wrote
 * them. Several processes may run such a worker on the same database; each lane belongs to one of
 * them at a time, by a lease. A failing event is retried with backoff and delays only its own key.
 *
 * It relays only for consumers of this process, which must all be subscribed before this call.
 * Clocks of the processes may differ by a small part of the lease. A larger difference delivers
 * events twice, which consumers tolerate, or delays a takeover.
 */
export async function openOutboxRelay(options: OutboxRelayOptions): Promise<Worker> {
  const { database, bus, clock, random, onFailure = () => {} } = options;
  const consumers = bus.consumers().map(({ name }) => name);
  await registerConsumers(database, bus.consumers(), clock.now());
  const owner = drawText(random, 12);
  const alarm = createAlarm(clock);
  const lease = () => ({ owner, now: clock.now(), until: clock.now() + leaseLength });

  /** Returns whether there may be more. */
  const relayBatch = async (lane: Lane, signal: AbortSignal): Promise<boolean> => {
    const batch = await readOutboxBatch(database, lane, clock.now());
    const outcome = await deliverBatch(options, { consumer: lane.consumer, batch, signal });
    const isReleased = batch.length < outboxBatchSize || signal.aborted;
    await finishOutboxBatch(database, lane, lease(), { ...outcome, isReleased });
    return !isReleased;
  };

  const relayLane = async (lane: Lane, signal: AbortSignal): Promise<void> => {
    const renew = () => renewOutboxLane(database, lane, lease());
    try {
      await withLease({ clock, renewEvery: leaseLength / 3, renew, signal }, async (leased) => {
        while (await relayBatch(lane, leased));
      });
    } catch (error) {
      onFailure({ error });
      await clock.sleep(databasePause, signal);
    }
    // Events that came while the lane was being released are not claimed yet.
    alarm.ring();
  };

  const claim = async (signal: AbortSignal): Promise<Lane[]> => {
    const taken = lease();
    const lanes = await claimOutboxLanes(database, consumers, taken);
    if (lanes.length > 0) return lanes;
    // Counted from the moment of the claim, so that the sleep does not miss what became due since.
    const latest = taken.now + longestSleep;
    const retryAt = await nextRetryAt(database, consumers, taken.now);
    await alarm.sleep(Math.min(retryAt ?? latest, latest) - clock.now(), signal);
    return [];
  };

  return {
    name: 'outbox-relay',
    movesWithin: patienceWithWorker,
    async run(signal, move = () => {}) {
      const unlisten = await database.listen(outboxChannel, alarm.ring);
      const running = new Set<Promise<void>>();
      while (!signal.aborted) {
        try {
          for (const lane of await claim(signal)) {
            const relaying = relayLane(lane, signal).finally(() => running.delete(relaying));
            running.add(relaying);
          }
          move();
        } catch (error) {
          onFailure({ error });
          await clock.sleep(databasePause, signal);
        }
      }
      await Promise.all(running);
      await unlisten();
    },
  };
}

/** Delivers events to their consumer in order per key: behind a failed one, its key waits. */
async function deliverBatch(
  { bus, clock, random, onFailure = () => {} }: OutboxRelayOptions,
  given: { consumer: string; batch: readonly WaitingEvent[]; signal: AbortSignal },
): Promise<{ handled: string[]; failed: { id: string; retryAt: number }[] }> {
  const { consumer, batch, signal } = given;
  const handled: string[] = [];
  const failed = new Map<string, { id: string; retryAt: number }>();
  for (const { event, attempts: before } of batch) {
    if (signal.aborted) break;
    if (failed.has(event.key)) continue;
    try {
      await bus.deliver(consumer, event, signal);
      handled.push(event.id);
    } catch (error) {
      // A consumer that stops because the signal fired has not failed.
      if (signal.aborted) break;
      const attempts = before + 1;
      const delay = backoffDelay({ attempts, fraction: random.fraction() });
      failed.set(event.key, { id: event.id, retryAt: clock.now() + delay });
      onFailure({ error, consumer, event, attempts });
    }
  }
  return { handled, failed: [...failed.values()] };
}

type OutboxPrunerOptions = PrunerOptions & {
  readonly database: Database;
  readonly bus: EventBus;
  /** How long, in milliseconds, events wait for a consumer that no process runs. */
  readonly retention?: number;
};

const week = 7 * 24 * 3_600_000;
const pauseMs = 600_000;

/**
 * The worker that deletes consumers which no process has run for the retention time, and the events
 * that wait for them. It also confirms that its own process runs its consumers.
 */
export function createOutboxPruner(options: OutboxPrunerOptions): Worker {
  const { database, bus, clock, retention = week, onFailure } = options;

  /**
   * One pruning and not three, for the order: confirm our own consumers first, delete events before consumers.
   */
  const prune: Pruning = async ({ now, limit }) => {
    for (const { name } of bus.consumers()) await confirmConsumer(database, name, now);
    const unseenSince = now - retention;
    const pruned = await deleteUnwantedEvents(database, { unseenSince, limit });
    if (pruned < limit) await deleteConsumers(database, unseenSince);
    return pruned;
  };
  return createPruner({ name: 'outbox-pruner', prunings: [prune], pauseMs, clock, onFailure });
}
