import type { NatsConnection } from '@nats-io/transport-node';
import { orLate } from '../../../kernel/cancel/or-late.ts';
import { type Clock, systemClock } from '../../../kernel/clock.ts';
import type { EndpointKind, EndpointProblem, OutgoingEvent, SendOutcome } from '../endpoint.ts';
import { isAllowedSubject } from './is-allowed-subject.ts';

export type NatsKind = EndpointKind<'natsSubject'> & {
  /** Sends what is under way, then closes the connection. */
  close(): Promise<void>;
};

export type NatsKindOptions = {
  readonly url: string;
  /** Of the subjects that may be delivered to, see `isAllowedSubject`. */
  readonly prefixes: readonly string[];
  readonly clock?: Clock;
};

/** How long the server may take to confirm a message. */
const confirmMs = 5_000;

/**
 * Publishes events on NATS subjects (E14.19), by the CloudEvents binding for NATS in binary mode. Where
 * a JetStream stream has the subject, an event counts as delivered once the stream has stored it, which
 * it does once however often it is tried; otherwise once the server has it. Only subjects that the
 * operator allows are published on (F10). The connection is made when
 * it is first needed and comes back by itself.
 */
export function createNatsKind(options: NatsKindOptions): NatsKind {
  const { url, prefixes, clock = systemClock } = options;
  let connecting: Promise<NatsConnection> | undefined;

  const connect = async (): Promise<NatsConnection> => {
    // Loaded only where it is used.
    const { connectNats } = await import('../../../kernel/nats/connect-nats.ts');
    return (await connectNats(url)).connection;
  };
  const connection = (): Promise<NatsConnection> => {
    connecting ??= connect().catch((error) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  };

  /** Resolves when the server has all that was sent. The driver would wait for that without end. */
  const confirm = (nats: NatsConnection): Promise<void> =>
    orLate(nats.flush(), {
      clock,
      milliseconds: confirmMs,
      late() {
        throw new Error('TimeoutError');
      },
    });

  /** Whether a stream keeps what is published on the subject; without JetStream none does. */
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
    { subject, isStored }: { subject: string; isStored: boolean },
  ): Promise<void> => {
    const nats = await connection();
    const { headers: createHeaders } = await import('@nats-io/transport-node');
    const headers = createHeaders();
    headers.set('content-type', 'application/json');
    headers.set('ce-specversion', '1.0');
    for (const name of ['id', 'source', 'type', 'subject', 'time'] as const) {
      headers.set(`ce-${name}`, encodeURI(event[name]));
    }
    if (isStored) {
      const { jetstream } = await import('@nats-io/jetstream');
      // The stream drops what it has had: an attempt repeated, but neither a replay nor an event of
      // the same id by another publisher or for another subscription.
      const msgID = `${event.source} ${event.number}`;
      await jetstream(nats, { timeout: confirmMs }).publish(subject, event.data, {
        msgID,
        headers,
      });
    } else {
      nats.publish(subject, event.data, { headers });
      await confirm(nats);
    }
  };

  return {
    async check({ subject }) {
      if (!isAllowedSubject(subject, prefixes)) return subjectRefused(subject);
      try {
        await confirm(await connection());
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
        async send({ events }, signal) {
          // For subscriptions that were made under other settings.
          if (!isAllowedSubject(subject, prefixes)) return deny(subjectRefused(subject).message);
          try {
            isStored ??= await hasStream(subject);
            for (const event of events) await publish(event, { subject, isStored });
            return { isAccepted: true };
          } catch (error) {
            signal.throwIfAborted();
            // A stream may have come or gone meanwhile.
            isStored = undefined;
            return toFailure(error);
          }
        },
      };
    },
    async close() {
      await (await connecting?.catch(() => undefined))?.drain();
    },
  };
}

/** Nobody answers for JetStream, or it has no stream for the subject. */
function isWithoutStream(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /NoResponders|NotEnabled|no stream matches/i.test(`${error.name} ${error.message}`);
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
