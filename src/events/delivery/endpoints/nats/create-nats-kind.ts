import { type Clock, systemClock } from '../../../../kernel/time/clock.ts';
import type { Tracer } from '../../../../kernel/trace/tracer.ts';
import type { EndpointKind, EndpointProblem, SendOutcome } from '../endpoint.ts';
import { createNatsPublisher } from './create-nats-publisher.ts';
import { isAllowedSubject } from './is-allowed-subject.ts';

export type NatsKind = EndpointKind<'natsSubject'> & {
  /** Sends what is under way, then closes the connection. */
  close(): Promise<void>;
};

export type NatsKindOptions = {
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
