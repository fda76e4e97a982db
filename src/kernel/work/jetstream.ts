import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { onAbort } from '../wait/cancel.ts';
import type { BusEvent } from './event-bus.ts';
import { type Nats, NatsError, natsPatience } from './nats.ts';

/** The stream that stores unhandled events between the outbox and their consumers. */
export type EventStream = {
  /** Resolves when the stream has stored the event, or finds that it did so before. */
  publish(consumer: string, event: BusEvent): Promise<void>;
  /**
   * Yields the stored events of a consumer and then new ones, in order, until the signal fires. Creates
   * the stream if it is missing. Throws if NATS loses the reader or the stream.
   */
  read(consumer: string, signal: AbortSignal): AsyncIterable<StoredEvent>;
  /** Removes a handled event from the stream. */
  remove(stored: StoredEvent): Promise<void>;
};

export type StoredEvent = { readonly sequence: number; readonly event: BusEvent };

/** Longer than a relay takes to remove a published event from the outbox. */
const duplicateWindow = 120_000;
const readAhead = 256;

/**
 * Opens the stream, and creates it if it is missing: on disk, with a message for each event and
 * consumer. Keeps the settings of an existing stream, so that its owner may, for example, replicate
 * it to several servers. Throws as {@link openJetstream} does.
 */
export async function openEventStream(nats: Nats, name: string): Promise<EventStream> {
  const manager = await openJetstream(nats);
  const client = jetstream(nats.connection, { timeout: natsPatience });
  const subjectOf = (consumer: string) => `${name}.${tokenOf(consumer)}`;
  await makeUnlessThere();

  return {
    async publish(consumer, event) {
      await client.publish(subjectOf(consumer), JSON.stringify(event), {
        msgID: event.id,
        expect: { streamName: name },
      });
    },
    async *read(consumer, signal) {
      await makeUnlessThere();
      // The driver's ordered consumer begins with the first remaining message and recovers from gaps.
      const reader = await client.consumers.get(name, { filter_subjects: subjectOf(consumer) });
      const messages = await reader.consume({
        max_messages: readAhead,
        abort_on_missing_resource: true,
      });
      const stop = () => void messages.close();
      const stopListening = onAbort(signal, stop);
      try {
        // The messages are those of `publish` above: nobody else publishes to these subjects.
        for await (const message of messages) {
          yield { sequence: message.seq, event: JSON.parse(message.string()) as BusEvent };
        }
      } finally {
        stopListening();
        stop();
        // Otherwise NATS would keep the reader for five minutes.
        void reader.delete().catch(() => {});
      }
    },
    async remove({ sequence }) {
      try {
        await manager.streams.deleteMessage(name, sequence, false);
      } catch (error) {
        // A previous holder of the lease may have removed it late.
        if (await manager.streams.getMessage(name, { seq: sequence })) throw error;
      }
    },
  };

  async function makeUnlessThere(): Promise<void> {
    try {
      await manager.streams.info(name);
    } catch (error) {
      if (!isApiError(error, JetStreamApiCodes.StreamNotFound)) throw error;
      await manager.streams.add({
        name,
        subjects: [`${name}.>`],
        storage: StorageType.File,
        retention: RetentionPolicy.Limits,
        discard: DiscardPolicy.New,
        duplicate_window: nanos(duplicateWindow),
      });
    }
  }
}

/** Encodes a name as one token of a subject. */
function tokenOf(name: string): string {
  return name.replaceAll(
    /[^a-zA-Z0-9-]/g,
    (character) => `_${character.charCodeAt(0).toString(16)}_`,
  );
}

/** JetStream of a NATS server. Throws `WITHOUT_JETSTREAM`, or `UNREACHABLE` where it does not answer. */
export async function openJetstream({ connection }: Nats): Promise<JetStreamManager> {
  try {
    return await jetstreamManager(connection, { timeout: natsPatience });
  } catch (error) {
    throw toNatsError(error, connection.getServer());
  }
}

function toNatsError(error: unknown, host: string): NatsError {
  const isNotEnabled =
    isApiError(error, JetStreamApiCodes.JetStreamNotEnabledForAccount) ||
    // A class that the driver does not export.
    (error instanceof Error && error.name === 'JetStreamNotEnabled');
  if (isNotEnabled) {
    return new NatsError(
      'WITHOUT_JETSTREAM',
      `NATS at ${host} has no JetStream, which carries events between processes: start it with -js, or unset TRADEWIND_NATS_URL, and the database alone carries them.`,
    );
  }
  const reason = error instanceof Error ? error.message : 'no reason given';
  return new NatsError(
    'UNREACHABLE',
    `JetStream of NATS at ${host} does not answer (${reason}): check its state, and that the credentials of TRADEWIND_NATS_URL may use its API.`,
  );
}

/** Whether JetStream refused something with this code. */
export function isApiError(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
