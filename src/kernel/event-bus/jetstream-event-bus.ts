import type { Database } from '../database/database.ts';
import { createLeasedWorker } from '../lease/leased-worker.ts';
import type { Worker } from '../lifecycle/worker.ts';
import { connectNats } from '../nats/connect-nats.ts';
import type { Random } from '../random.ts';
import type { Clock } from '../time/clock.ts';
import type { EventBus, EventConsumer, EventFailure } from './event-bus.ts';
import { createInProcessEventBus } from './in-process-event-bus.ts';
import { bringEvents } from './jetstream/bring-events.ts';
import { eventStreamName } from './jetstream/event-stream-name.ts';
import { openEventStream } from './jetstream/open-event-stream.ts';

export type JetstreamEventBusOptions = {
  /** The NATS server; it may hold credentials. */
  readonly url: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly onFailure?: (failure: EventFailure) => void;
};

export type JetstreamEventBus = EventBus & {
  /** Whether NATS is there; while it is not, events wait in the outbox. */
  isUp(): boolean;
  /** Closes the connection; the workers have ended before. */
  close(): Promise<void>;
};

/**
 * The bus between processes: the relay puts each event into a stream of NATS JetStream, from which
 * it is handed to its consumer like in process. Of the processes that run a consumer one at a time
 * brings its events, by a lease in the database; another takes over with what was left unhandled.
 *
 * While NATS is away events wait in the outbox. Throws a {@link NatsError} where it is away at the
 * start, refuses the credentials or has no JetStream.
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
