import type { NatsConnection } from '@nats-io/transport-node';
import type { Tracer } from '../../../kernel/telemetry/trace.ts';
import { type Clock, systemClock } from '../../../kernel/wait/clock.ts';
import { orLate } from '../../../kernel/wait/deadline.ts';
import { onBehalfOfAll } from '../../../kernel/wait/presence.ts';
import type { OutgoingEvent } from '../outgoing-event.ts';
import type { EndpointKind, EndpointProblem, SendOutcome } from './endpoint.ts';

type NatsKind = EndpointKind<'natsSubject'> & {
  /** Sends what is under way, then closes the connection. */
  close(): Promise<void>;
};

type NatsKindOptions = {
  readonly url: string;
  /** Prefixes of the subjects that may be delivered to, see `isAllowedSubject`. */
  readonly prefixes: readonly string[];
  readonly clock?: Clock;
  /** Set if traces are recorded: each message is a span in the trace of its event (T5). */
  readonly tracer?: Tracer | undefined;
};

/**
 * Publishes events on NATS subjects (E14.19), by the CloudEvents binding for NATS in binary mode. If a JetStream stream
 * has the subject, an event counts as delivered when the stream has stored it; the stream drops repeated attempts.
 * Otherwise it counts as delivered when the server has it. Publishes only on subjects that the operator allows (F10).
 */
export function createNatsKind(options: NatsKindOptions): NatsKind {
  const { url, prefixes, clock = systemClock, tracer } = options;
  const nats = createNatsPublisher({ url, clock });

  return {
    async check({ subject }) {
      if (!isAllowedSubject(subject, prefixes)) return subjectRefused(subject);
      try {
        await nats.confirm();
        return undefined;
      } catch {
        return {
          status: 'UNAVAILABLE',
          reason: 'NATS_UNREACHABLE',
          message: 'The NATS server of this server does not answer: try again later.',
          suspensionReason: 'OTHER',
        };
      }
    },
    open({ subject }) {
      let isStored: boolean | undefined;
      return {
        origin: 'nats',
        batchSize: 1,
        async send({ events, trace }, signal) {
          // The operator may have changed the prefixes since the subscription was created.
          if (!isAllowedSubject(subject, prefixes)) return deny(subjectRefused(subject).message);
          const span = tracer?.begin('client', trace);
          const end = (isFailure: boolean) => {
            const attributes = {
              'messaging.system': 'nats',
              'messaging.destination.name': subject,
            };
            span?.end({ name: 'publish on NATS', attributes, isFailure });
          };
          try {
            isStored ??= await nats.hasStream(subject);
            const how = { subject, isStored, traceparent: span?.header ?? trace };
            for (const event of events) await nats.publish(event, how);
            end(false);
            return { isAccepted: true };
          } catch (error) {
            end(true);
            signal.throwIfAborted();
            // A stream may have been added or removed meanwhile.
            isStored = undefined;
            return toFailure(error);
          }
        },
      };
    },
    close: nats.close,
  };
}

function subjectRefused(subject: string): EndpointProblem {
  return {
    status: 'PERMISSION_DENIED',
    reason: 'NATS_SUBJECT_REFUSED',
    message: `This server does not deliver to the NATS subject ${subject}: its operator names prefixes in TRADEWIND_NATS_SUBJECTS.`,
    field: 'natsSubject',
    suspensionReason: 'ENDPOINT_PERMISSION_DENIED',
  };
}

function toFailure(error: unknown): SendOutcome {
  const name = error instanceof Error ? error.name : 'Error';
  if (/permission/i.test(name)) return deny('NATS does not allow this subject');
  return {
    isAccepted: false,
    // The text of the library may repeat the address with its credentials.
    error: `NATS did not confirm the event (${name})`,
    reason: 'OTHER',
    isFinal: false,
    isUnreachable: true,
  };
}

function deny(error: string): SendOutcome {
  const reason = 'ENDPOINT_PERMISSION_DENIED';
  return { isAccepted: false, error, reason, isFinal: false, isUnreachable: false };
}

/** Publishes events on one NATS server. Everything rejects when the server does not confirm in time. */
type NatsPublisher = {
  /** Resolves when the server has all that was sent. */
  confirm(): Promise<void>;
  /** Whether a stream keeps what is published on the subject; without JetStream none does. */
  hasStream(subject: string): Promise<boolean>;
  publish(event: OutgoingEvent, options: PublishOptions): Promise<void>;
  /** Sends what is under way, then closes the connection. */
  close(): Promise<void>;
};

type PublishOptions = {
  readonly subject: string;
  readonly isStored: boolean;
  /** The trace context that the message carries, if it has one. */
  readonly traceparent: string | undefined;
};

/** How long the server may take to confirm a message. */
const confirmMs = 5_000;

/** Connects on first use; the driver reconnects by itself. */
function createNatsPublisher(options: {
  readonly url: string;
  readonly clock: Clock;
}): NatsPublisher {
  const { url, clock } = options;
  let connecting: Promise<NatsConnection> | undefined;

  const connect = async (): Promise<NatsConnection> => {
    // Loaded only where it is used.
    const { connectNats } = await import('../../../kernel/work/nats.ts');
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

/**
 * Whether subscriptions may deliver to a NATS subject (F10): it is one of the prefixes that the operator named, or lies
 * below one, token by token. Subjects of this server's own bus, which begin with `tradewind`, and those that NATS uses
 * itself are never allowed, even if the operator named them.
 */
export function isAllowedSubject(subject: string, prefixes: readonly string[]): boolean {
  if (/^(tradewind([-.]|$)|[$_])/i.test(subject)) return false;
  return prefixes.some((prefix) => {
    const whole = prefix.replace(/\.>?$/, '');
    return subject === whole || subject.startsWith(`${whole}.`);
  });
}
