import type { Database } from '../database/database.ts';
import { createLeasedWorker } from '../lease/leased-worker.ts';
import type { Worker } from '../lifecycle/worker.ts';
import { connectNats } from '../nats/connect-nats.ts';
import type { Random } from '../random/random.ts';
import type { Clock } from '../time/clock.ts';
import type { EventBus, EventConsumer, EventFailure } from './event-bus.ts';
import { createInProcessEventBus } from './in-process-event-bus.ts';
import { bringEvents } from './jetstream/bring-events.ts';
import { eventStreamName } from './jetstream/event-stream-name.ts';
import { openEventStream } from './jetstream/open-event-stream.ts';

export type JetstreamEventBusOptions = {
  /** The URL of the NATS server; it may contain credentials. */
  readonly url: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly onFailure?: (failure: EventFailure) => void;
};

export type JetstreamEventBus = EventBus & {
  /** Whether NATS is reachable; while it is not, events wait in the outbox. */
  isUp(): boolean;
  /** Closes the connection; the workers must have ended before. */
  close(): Promise<void>;
};

/**
 * The bus between processes: the relay publishes each event to a stream of NATS JetStream, from
 * which a worker delivers it to its consumer. By a lease in the database, one process at a time
 * delivers the events of a consumer; the next holder takes over the unhandled ones.
 *
 * While NATS is unreachable, events wait in the outbox. Throws a {@link NatsError} if NATS is
 * unreachable at the start, refuses the credentials or has no JetStream.
 */
export async function openJetstreamEventBus(
  options: JetstreamEventBusOptions,
): Promise<JetstreamEventBus> {
  const { url, database, clock, random, onFailure = () => {} } = options;
  const local = createInProcessEventBus();
  const streamName = await eventStreamName(database, random);
  const nats = await connectNats(url);
  const stream = await openEventStream(nats, streamName).catch(async (error) => {
    await nats.connection.close();
    throw error;
  });

  const workerFor = (name: string): Worker =>
    createLeasedWorker({
      name: `events of ${name}`,
      database,
      clock,
      random,
      onFailure: (error) => onFailure({ error, consumer: name }),
      async work(signal) {
        await nats.whenUp(signal);
        if (signal.aborted) return;
        const handle: EventConsumer['handle'] = (event, over) => local.deliver(name, event, over);
        await bringEvents({ stream, consumer: { name, handle }, clock, random, onFailure }, signal);
      },
    });

  return {
    ...local,
    async deliver(consumerName, event, signal) {
      await nats.whenUp(signal);
      signal.throwIfAborted();
      await stream.publish(consumerName, event);
    },
    workers: () => local.consumers().map(({ name }) => workerFor(name)),
    isUp: nats.isUp,
    close: () => nats.connection.close(),
  };
}
