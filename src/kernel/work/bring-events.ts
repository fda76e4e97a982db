import type { Random } from '../model/random.ts';
import { backoffDelay } from '../wait/alarm.ts';
import { linkSignals } from '../wait/cancel.ts';
import type { Clock } from '../wait/clock.ts';
import { createKeyedQueue, createQueue } from '../wait/queue.ts';
import type { EventConsumer, EventFailure } from './event-bus.ts';
import type { EventStream, StoredEvent } from './jetstream.ts';

type BringEventsOptions = {
  readonly stream: EventStream;
  readonly consumer: Pick<EventConsumer, 'name' | 'handle'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly onFailure: (failure: EventFailure) => void;
};

/** As many as work has parts: more would only wait for the database. */
const handledAtOnce = 16;
/** Bounds the events in memory. Once this many wait behind failing keys, all others wait too. */
const mostTaken = 5_000;

/**
 * Delivers the events that a stream holds for a consumer until the signal fires, for each key in the
 * order of the stream. Removes an event from the stream when it is handled. A failing event is
 * retried with backoff and delays only its own key.
 *
 * Nobody else may deliver events of the same consumer meanwhile. Throws if NATS does not answer; the
 * stream then holds exactly the unhandled events, so the caller can start again.
 */
export async function bringEvents(options: BringEventsOptions, signal: AbortSignal): Promise<void> {
  const { stream, consumer, clock, random, onFailure } = options;
  const bringing = linkSignals(signal);
  const over = bringing.signal;
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
    bringing.abort(error);
  };
  const inOrder = createKeyedQueue();
  const queue = createQueue(handledAtOnce);

  /** Returns whether the event was handled; false only after the signal fired. */
  const handle = async ({ event }: StoredEvent): Promise<boolean> => {
    for (let attempts = 1; !over.aborted; attempts += 1) {
      try {
        await queue.pass(async () => {
          over.throwIfAborted();
          await consumer.handle(event, over);
        });
        return true;
      } catch (error) {
        // A consumer that stops because the signal fired has not failed.
        if (over.aborted) return false;
        onFailure({ error, consumer: consumer.name, event, attempts });
        await clock.sleep(backoffDelay({ attempts, fraction: random.fraction() }), over);
      }
    }
    return false;
  };

  const settle = async (stored: StoredEvent): Promise<void> => {
    try {
      if (await handle(stored)) await stream.remove(stored);
    } catch (error) {
      fail(error);
    }
  };

  try {
    for await (const stored of stream.read(consumer.name, over)) {
      void inOrder.pass(stored.event.key, () => settle(stored));
      await inOrder.whenFewerThan(mostTaken);
    }
  } catch (error) {
    fail(error);
  }
  await inOrder.whenFewerThan(1);
  bringing.release();
  if (failure !== undefined) throw failure.error;
}
