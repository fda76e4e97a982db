import type { Clock } from '../../../kernel/time/clock.ts';
import type { Tracer } from '../../../kernel/trace/tracer.ts';
import type { EndpointKinds } from './endpoint.ts';
import { createNatsKind } from './nats/create-nats-kind.ts';
import { createPubsubKind } from './pubsub/create-pubsub-kind.ts';

export type BrokersOptions = {
  readonly clock: Clock;
  readonly settings: { readonly natsSubjects?: readonly string[] | undefined };
  /** The NATS server of `natsSubject` endpoints; it may hold credentials. */
  readonly natsUrl?: string | undefined;
  /** Credentials of Pub/Sub, or its emulator, are there: topics are its own, not this server's (E14.22). */
  readonly hasPubsub?: boolean | undefined;
  /** Set if traces are recorded. */
  readonly tracer?: Tracer | undefined;
};

/** The kinds of endpoint that a message broker brings: NATS and Pub/Sub, each where it is set up. */
export function openBrokers(options: BrokersOptions): {
  readonly kinds: Omit<EndpointKinds, 'webhook'>;
  close(): Promise<void>;
} {
  const { clock, settings, natsUrl, hasPubsub, tracer } = options;
  const nats = natsUrl
    ? createNatsKind({ url: natsUrl, prefixes: settings.natsSubjects ?? [], clock, tracer })
    : undefined;
  const pubsub = hasPubsub ? createPubsubKind() : undefined;
  return {
    kinds: {
      ...(nats ? { natsSubject: nats } : {}),
      ...(pubsub ? { pubsubTopic: pubsub } : {}),
    },
    async close() {
      await nats?.close();
      await pubsub?.close();
    },
  };
}
