import type { NatsConnection } from '@nats-io/transport-node';
import { onBehalfOfAll } from '../../../../kernel/cancel/presence.ts';
import type { Clock } from '../../../../kernel/time/clock.ts';
import { orLate } from '../../../../kernel/time/or-late.ts';
import type { OutgoingEvent } from '../../messages/outgoing-event.ts';

/** Publishes events on one NATS server. Everything rejects when the server does not confirm in time. */
export type NatsPublisher = {
  /** Resolves when the server has all that was sent. */
  confirm(): Promise<void>;
  /** Whether a stream keeps what is published on the subject; without JetStream none does. */
  hasStream(subject: string): Promise<boolean>;
  publish(event: OutgoingEvent, options: PublishOptions): Promise<void>;
  /** Sends what is under way, then closes the connection. */
  close(): Promise<void>;
};

export type PublishOptions = {
  readonly subject: string;
  readonly isStored: boolean;
  /** The trace context that the message carries, if it has one. */
  readonly traceparent: string | undefined;
};

/** How long the server may take to confirm a message. */
const confirmMs = 5_000;

/** Connects on first use; the driver reconnects by itself. */
export function createNatsPublisher(options: {
  readonly url: string;
  readonly clock: Clock;
}): NatsPublisher {
  const { url, clock } = options;
  let connecting: Promise<NatsConnection> | undefined;

  const connect = async (): Promise<NatsConnection> => {
    // Loaded only where it is used.
    const { connectNats } = await import('../../../../kernel/nats/connect-nats.ts');
    return (await connectNats(url)).connection;
  };
  const connection = (): Promise<NatsConnection> => {
    connecting ??= onBehalfOfAll(connect).catch((error) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  };

  /** Resolves when the server has everything that was sent. The driver itself would wait without a time limit. */
  const confirmOn = (nats: NatsConnection): Promise<void> =>
    orLate(nats.flush(), {
      clock,
      milliseconds: confirmMs,
      late() {
        throw new Error('TimeoutError');
      },
    });

  const hasStream = async (subject: string): Promise<boolean> => {
    const { jetstreamManager } = await import('@nats-io/jetstream');
    try {
      const manager = await jetstreamManager(await connection(), { timeout: confirmMs });
      return (await manager.streams.find(subject)) !== '';
    } catch (error) {
      if (isWithoutStream(error)) return false;
      throw error;
    }
  };

  const publish = async (
    event: OutgoingEvent,
    { subject, isStored, traceparent }: PublishOptions,
  ): Promise<void> => {
    const nats = await connection();
    const { headers: createHeaders } = await import('@nats-io/transport-node');
    const headers = createHeaders();
    headers.set('content-type', 'application/json');
    headers.set('ce-specversion', '1.0');
    for (const name of ['id', 'source', 'type', 'subject', 'time'] as const) {
      headers.set(`ce-${name}`, encodeURI(event[name]));
    }
    if (traceparent !== undefined) headers.set('traceparent', traceparent);
    if (isStored) {
      const { jetstream } = await import('@nats-io/jetstream');
      // The stream drops a message whose id it has seen. That is the case for a repeated attempt, but not for a replay,
      // nor for an event with the same id by another publisher or for another subscription.
      const msgID = `${event.source} ${event.number}`;
      await jetstream(nats, { timeout: confirmMs }).publish(subject, event.data, {
        msgID,
        headers,
      });
    } else {
      nats.publish(subject, event.data, { headers });
      await confirmOn(nats);
    }
  };

  return {
    confirm: async () => confirmOn(await connection()),
    hasStream,
    publish,
    async close() {
      await (await connecting?.catch(() => undefined))?.drain();
    },
  };
}

/** JetStream does not answer, or has no stream for the subject. */
function isWithoutStream(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /NoResponders|NotEnabled|no stream matches/i.test(`${error.name} ${error.message}`);
}
