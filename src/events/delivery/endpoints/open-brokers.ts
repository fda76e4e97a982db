import type { Tracer } from '../../../kernel/telemetry/trace.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import type { EndpointKinds } from './endpoint.ts';
import { createNatsKind } from './nats-endpoint.ts';
import { createPubsubKind } from './pubsub-endpoint.ts';

export type BrokersOptions = {
  readonly clock: Clock;
  readonly settings: { readonly natsSubjects?: readonly string[] | undefined };
  /** The NATS server of `natsSubject` endpoints; it may hold credentials. */
  readonly natsUrl?: string | undefined;
  /**
   * Whether credentials of Pub/Sub, or its emulator, are set up. If so, topics are those of Pub/Sub, not of this server
   * (E14.22).
   */
  readonly hasPubsub?: boolean | undefined;
  /** Set if traces are recorded. */
  readonly tracer?: Tracer | undefined;
};

/** The kinds of endpoint that need a message broker: NATS and Pub/Sub, each if it is set up. */
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
