import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { drawHex, type Random } from '../model/random.ts';
import type { Worker } from '../process/worker.ts';
import type { Clock } from '../wait/clock.ts';
import { bringEvents } from './bring-events.ts';
import {
  createInProcessEventBus,
  type EventBus,
  type EventConsumer,
  type EventFailure,
} from './event-bus.ts';
import { openEventStream } from './jetstream.ts';
import { createLeasedWorker } from './lease.ts';
import { connectNats } from './nats.ts';

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

/**
 * The name of the stream that belongs to a database, made at the first call. Two installations on one NATS server,
 * or a new database, must not get each other's events: their ids are the same.
 */
export async function eventStreamName(database: Database, random: Random): Promise<string> {
  const name = `tradewind-${drawHex(random, 6)}`;
  await database.run(sql`
    INSERT INTO event_stream (id, name) VALUES (1, ${name}) ON CONFLICT (id) DO NOTHING`);
  const row = await database.first<{ name: string }>(sql`SELECT name FROM event_stream`);
  return row?.name ?? name;
}
