import { createSealer } from '../kernel/crypto/sealer.ts';
import type { Database } from '../kernel/database/database.ts';
import { createRateLimiter } from '../kernel/edge/rate-limiter.ts';
import type { Random } from '../kernel/model/random.ts';
import type { OutboundHttp } from '../kernel/outbound/outbound-http.ts';
import type { Worker } from '../kernel/process/worker.ts';
import type { Logger } from '../kernel/telemetry/logger.ts';
import type { Metrics } from '../kernel/telemetry/metrics.ts';
import type { Clock } from '../kernel/wait/clock.ts';
import { boundTurns, type InTurn } from '../kernel/wait/turns.ts';
import {
  createDeliveryQueues,
  type DeliveryQueues,
  type Suspend,
} from './delivery/delivery-queues.ts';
import { createDeliveryWorker, type DeliveryWorkerOptions } from './delivery/delivery-worker.ts';
import {
  type CheckEndpoint,
  createCheckEndpoint,
  type EndpointKinds,
  type SendOutcome,
} from './delivery/endpoints/endpoint.ts';
import { openWebhooks, type WebhooksOptions } from './delivery/endpoints/webhook-endpoint.ts';
import type { RetrySettings } from './delivery/lanes/deliver-lane.ts';
import { createRetentionWorker } from './delivery/retention-worker.ts';
import { admitReaders } from './delivery/streams/admit-readers.ts';
import {
  createStreamWakes,
  type StreamWakes,
  shareTopics,
} from './delivery/streams/stream-wakes.ts';
import { type CatchUp, createCatchUp } from './delivery/written-progress.ts';
import { type DeliveryMethodsOptions, deliveryMethods } from './http/methods/delivery-methods.ts';
import type { ServedMethod } from './http/methods/method.ts';
import { rotateSecretMethod } from './http/methods/rotate-secret-method.ts';
import type { MonitorMethodsOptions } from './http/methods/serve-monitor.ts';
import { eventsLimits } from './limits.ts';
import type { Application, Catalogue } from './model/application.ts';
import type { EventVisibility, IsSignedIn } from './model/caller.ts';
import { signingSecretPurpose } from './model/signing-secret.ts';
import { createFeedHeads, type FeedHeads } from './monitor/feed-heads.ts';
import { createFanOutWorker } from './publishing/create-fan-out-worker.ts';
import { createPublisher, type Publisher } from './publishing/create-publisher.ts';
import type { StorageMeter } from './publishing/create-storage-meter.ts';
import type { Deliverer } from './store/lanes/lane-notices.ts';
import { readFeedHeads } from './store/queue/published-store.ts';

export type DeliveryOptions = WebhooksOptions & {
  readonly database: Database;
  readonly masterKey: Uint8Array;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly settings: RetrySettings &
    WebhooksOptions['settings'] & {
      readonly eventRetention: number;
      readonly eventVisibility: EventVisibility;
    };
  readonly catalogue: Catalogue;
  readonly builtIn: readonly Application[];
  readonly storage: Pick<StorageMeter, 'requireRoom' | 'noteDeliveries'>;
  /** What this process can push to beside webhooks. */
  readonly kinds: Omit<EndpointKinds, 'webhook'>;
  readonly isSignedIn?: IsSignedIn | undefined;
  /** Defaults to the declared limit. */
  readonly subscribersAtOnce?: number | undefined;
};

/** Events in and out: everything between a publisher and a receiver. */
export type Delivery = {
  readonly publisher: Publisher;
  readonly queues: DeliveryQueues;
  readonly checkEndpoint: CheckEndpoint;
  /** The methods of delivery. */
  readonly methods: (
    options: Pick<DeliveryMethodsOptions, 'findOwn' | 'readableOf'>,
  ) => ServedMethod[];
  /** What the methods for people who monitor subscriptions need. */
  readonly monitoring: Omit<MonitorMethodsOptions, 'context'>;
  readonly catchUp: CatchUp;
  readonly wakes: StreamWakes;
  /** The client that calls webhooks. */
  readonly http: OutboundHttp;
  /** Runs long work in steps between which the event loop turns (N1). */
  readonly inTurn: InTurn;
  /** Makes the background workers. It takes `suspend` only here because suspending needs the queues. */
  createWorkers(options: { suspend: Suspend }): Worker[];
  /** Ends the streams that readers have open. */
  endStreams(): void;
  close(): Promise<void>;
};

/** Joins publisher, queues, endpoints and streams, which share one sealer and one deliverer. Nothing runs before the workers do. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { database, masterKey, clock, random, logger, settings, sourceHost, storage } = options;
  const webhooks = openWebhooks(options);
  const kinds = { ...options.kinds, webhook: webhooks.kind };
  const sealer = createSealer({ masterKey, purpose: signingSecretPurpose, random });
  const deliverer: Deliverer = { owner: undefined };
  const catchUp = createCatchUp({ database, clock, random });
  const wakes = createStreamWakes({
    database,
    clock,
    onFailure: (error) => logger.error({ err: error }, 'streams not updated, will be retried'),
  });
  const inTurn = boundTurns(clock);
  const findTopicLanes = shareTopics(database);
  const onOutcome = countOutcomes(options.metrics);
  const rotation = { database, sealer, clock, random };
  const limiter = createRateLimiter({
    database,
    clock,
    name: 'events-replayed',
    perMinute: eventsLimits.replayedEvents.value,
  });
  const replay = { database, catchUp, deliverer, clock, limiter, storage };

  return {
    publisher: createPublisher({
      ...options,
      deliverer,
      visibility: settings.eventVisibility,
      mostAtOnce: options.subscribersAtOnce,
    }),
    catchUp,
    wakes,
    http: webhooks.http,
    inTurn,
    monitoring: {
      replay,
      rotation,
      heads: openFeedHeads(options),
      feeds: admitReaders({
        name: 'live feeds',
        reason: 'TOO_MANY_FEEDS',
        mostOfAll: eventsLimits.allFeeds.value,
      }),
      ended: wakes.ended,
    },
    methods: ({ findOwn, readableOf }) => [
      rotateSecretMethod({ findOwn, ...rotation }),
      ...deliveryMethods({
        ...replay,
        findOwn,
        readableOf,
        sealer: createSealer({ masterKey, purpose: 'page tokens of deliveries', random }),
        wakes,
        inTurn,
        visibility: settings.eventVisibility,
        findTopicLanes,
        readers: admitReaders({
          name: 'event streams',
          reason: 'TOO_MANY_STREAMS',
          mostOfAll: eventsLimits.allStreams.value,
        }),
        sourceHost,
      }),
    ],
    queues: createDeliveryQueues({ deliverer, kinds, sealer, random, clock }),
    checkEndpoint: createCheckEndpoint(kinds),
    createWorkers: ({ suspend }) => [
      ...createDeliveryWorkers({ ...options, kinds, sealer, deliverer, suspend, onOutcome }),
      wakes.worker,
    ],
    endStreams: wakes.end,
    close: webhooks.close,
  };
}

function openFeedHeads(options: Pick<DeliveryOptions, 'database' | 'clock' | 'logger'>): FeedHeads {
  const { database, clock, logger } = options;
  return createFeedHeads({
    clock,
    // The embedded file commits rows in the order of their numbers, so none appears late.
    settlingFor: database.engine === 'sqlite' ? 0 : 3_000,
    read: () => readFeedHeads(database),
    onFailure: (error) => logger.error({ err: error }, 'feeds not updated, will be retried'),
  });
}

type DeliveryWorkersOptions = Omit<DeliveryWorkerOptions, 'onFailure'> & {
  readonly settings: {
    readonly eventRetention: number;
    readonly eventVisibility: EventVisibility;
  };
  readonly logger: Logger;
  readonly storage: Pick<StorageMeter, 'noteDeliveries'>;
};

/** The background workers of delivery: fan-out, deliveries and retention. */
function createDeliveryWorkers(options: DeliveryWorkersOptions): readonly Worker[] {
  const { settings, logger } = options;
  const tell = (message: string) => (error: unknown) => logger.error({ err: error }, message);

  return [
    createDeliveryWorker({
      ...options,
      onFailure: tell('delivery interrupted, will be retried'),
    }),
    createFanOutWorker({
      ...options,
      visibility: settings.eventVisibility,
      onFailure: tell('publications not queued, will be retried'),
    }),
    createRetentionWorker({
      ...options,
      eventRetention: settings.eventRetention,
      onFailure: tell('events not pruned'),
    }),
  ];
}

/** Counts calls to endpoints. The counter lives as long as the process, also when its workers restart. */
function countOutcomes(metrics: Metrics): (outcome: SendOutcome) => void {
  const outcomes = metrics.counter({
    name: 'events_deliveries_total',
    help: 'Calls to endpoints of subscriptions, by whether they were accepted.',
    labels: ['outcome'],
  });
  return ({ isAccepted }) => outcomes.inc({ outcome: isAccepted ? 'accepted' : 'failed' });
}
