import type { Clock } from '../kernel/clock.ts';
import { createSealer } from '../kernel/crypto/sealer.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Worker } from '../kernel/lifecycle/worker.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { Network } from '../kernel/network/network.ts';
import {
  createOutboundHttp,
  type OutboundHttp,
} from '../kernel/outbound-http/create-outbound-http.ts';
import { createOutboundThread } from '../kernel/outbound-http/create-outbound-thread.ts';
import type { Random } from '../kernel/random.ts';
import { createDeliveryQueues } from './delivery/create-delivery-queues.ts';
import type { DeliveryQueues, Suspend } from './delivery/delivery-queues.ts';
import { createDeliveryWorker } from './delivery/delivery-worker.ts';
import { createCheckEndpoint } from './delivery/endpoints/check-endpoint.ts';
import type { CheckEndpoint, EndpointKinds } from './delivery/endpoints/endpoint.ts';
import { callsPerOrigin } from './delivery/endpoints/origin-gates.ts';
import { signingSecretPurpose } from './delivery/endpoints/webhook/signing-secret.ts';
import { createWebhookKind } from './delivery/endpoints/webhook/webhook-endpoint.ts';
import type { RetrySettings } from './delivery/lanes/plan-retry.ts';
import { type CatchUp, createCatchUp } from './delivery/progress/written-progress.ts';
import { createRetentionWorker } from './delivery/retention-worker.ts';
import { createStreamWakes } from './delivery/streams/stream-wakes.ts';
import { type DeliveryMethodsOptions, deliveryMethods } from './http/delivery-methods.ts';
import type { ServedMethod } from './http/method.ts';
import { rotateSecretMethod } from './http/rotate-secret-method.ts';
import type { MonitorMethodsOptions } from './http/serve-monitor.ts';
import type { Application, Catalogue } from './model/application.ts';
import { admitFeeds } from './monitor/admit-feeds.ts';
import { createFeedHeads, type FeedHeads } from './monitor/feed-heads.ts';
import { createFanOutWorker } from './publishing/create-fan-out-worker.ts';
import { createPublisher } from './publishing/create-publisher.ts';
import type { EventVisibility } from './publishing/index-matches.ts';
import type { Publisher } from './publishing/publisher.ts';
import type { Deliverer } from './store/lanes/lane-notices.ts';
import { readFeedHeads } from './store/queue/feed-store.ts';

export type DeliveryOptions = {
  readonly database: Database;
  readonly masterKey: Uint8Array;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly settings: RetrySettings & {
    readonly eventRetention: number;
    readonly eventVisibility: EventVisibility;
    readonly webhookTrusted?: readonly string[] | undefined;
  };
  /** Networks, beyond public ones, that webhooks may reach. */
  readonly allowNetworks: readonly Network[];
  /** The host in the full names of subscriptions (E10.2). */
  readonly sourceHost: string;
  readonly catalogue: Catalogue;
  readonly builtIn: readonly Application[];
  /** What this process can push to beside webhooks. */
  readonly kinds: Omit<EndpointKinds, 'webhook'>;
  /** As declared, unless said otherwise. */
  readonly subscribersAtOnce?: number | undefined;
  /** Made here unless handed in. */
  readonly webhookClients?: WebhookClients | undefined;
};

/** What calls webhooks, and what calls those that failed before: it may fail again where it holds up nobody. */
export type WebhookClients = { readonly http: OutboundHttp; readonly retryHttp: OutboundHttp };

/** Events in and out: everything between a publisher and a receiver. */
export type Delivery = {
  readonly publisher: Publisher;
  readonly queues: DeliveryQueues;
  readonly checkEndpoint: CheckEndpoint;
  /** The methods of delivery. */
  readonly methods: (options: Pick<DeliveryMethodsOptions, 'findOwn'>) => ServedMethod[];
  /** What those need who look after subscriptions. */
  readonly monitoring: Omit<MonitorMethodsOptions, 'context'>;
  readonly catchUp: CatchUp;
  /** What runs in the background. Handed in late, because suspending needs the queues. */
  createWorkers(options: { suspend: Suspend }): Worker[];
  /** Ends the streams that readers have open. */
  endStreams(): void;
  close(): Promise<void>;
};

/** Makes the ways in and out of its parts, and the methods by which they are reached. Nothing runs before the workers do. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { database, masterKey, clock, random, logger, metrics, settings, sourceHost } = options;
  const { allowNetworks } = options;
  const { http, retryHttp } = options.webhookClients ?? openClients(options);
  const sealer = createSealer({ masterKey, purpose: signingSecretPurpose, random });
  const webhook = createWebhookKind({
    http,
    retryHttp,
    clock,
    random,
    allowNetworks,
    requestOrigin: sourceHost,
    trustedOrigins: settings.webhookTrusted ?? [],
  });
  const kinds = { ...options.kinds, webhook };
  const deliverer: Deliverer = { owner: undefined };
  const publisher = createPublisher({
    database,
    deliverer,
    catalogue: options.catalogue,
    builtIn: options.builtIn,
    visibility: settings.eventVisibility,
    clock,
    mostAtOnce: options.subscribersAtOnce,
  });
  const outcomes = metrics.counter({
    name: 'events_deliveries_total',
    help: 'Calls to endpoints of subscriptions, by whether they were accepted.',
    labels: ['outcome'],
  });
  const [accepted, failed] = [outcomes.labels('accepted'), outcomes.labels('failed')];

  const wakes = createStreamWakes({
    database,
    clock,
    onFailure: (error) => logger.error({ err: error }, 'streams not looked after, goes on'),
  });
  const catchUp = createCatchUp({ database, clock, random });
  const rotation = { database, sealer, clock, random };

  return {
    publisher,
    catchUp,
    monitoring: {
      replay: { database, catchUp, deliverer, clock },
      rotation,
      heads: openFeedHeads({ database, clock, logger }),
      feeds: admitFeeds(),
      ended: wakes.ended,
    },
    methods: ({ findOwn }) => [
      rotateSecretMethod({ findOwn, ...rotation }),
      ...deliveryMethods({
        findOwn,
        database,
        catchUp,
        deliverer,
        sealer: createSealer({ masterKey, purpose: 'page tokens of deliveries', random }),
        wakes,
        clock,
        sourceHost,
      }),
    ],
    queues: createDeliveryQueues({
      deliverer,
      kinds,
      sealer,
      random,
      clock,
    }),
    checkEndpoint: createCheckEndpoint(kinds),
    createWorkers: ({ suspend }) => [
      createDeliveryWorker({
        database,
        kinds,
        sealer,
        clock,
        random,
        settings,
        sourceHost,
        suspend,
        deliverer,
        onOutcome: ({ isAccepted }) => (isAccepted ? accepted : failed).inc(),
        onFailure: (error) => logger.error({ err: error }, 'delivery interrupted, goes on'),
      }),
      createFanOutWorker({
        database,
        deliverer,
        visibility: settings.eventVisibility,
        clock,
        onFailure: (error) => logger.error({ err: error }, 'publications not queued, goes on'),
      }),
      wakes.worker,
      createRetentionWorker({
        database,
        clock,
        eventRetention: settings.eventRetention,
        onFailure: (error) => logger.error({ err: error }, 'events not pruned'),
      }),
    ],
    endStreams: wakes.end,
    async close() {
      await Promise.all([http.close(), retryHttp.close()]);
    },
  };
}

function openFeedHeads(options: Pick<DeliveryOptions, 'database' | 'clock' | 'logger'>): FeedHeads {
  const { database, clock, logger } = options;
  return createFeedHeads({
    clock,
    // The embedded file commits in the order of its numbers.
    settlingFor: database.engine === 'sqlite' ? 0 : 3_000,
    read: () => readFeedHeads(database),
    onFailure: (error) => logger.error({ err: error }, 'feeds not looked after, goes on'),
  });
}

function openClients({ allowNetworks, clock }: DeliveryOptions): WebhookClients {
  const limits = { connectionsPerOrigin: callsPerOrigin };
  return {
    http: createOutboundHttp({ allowNetworks, clock, limits }),
    retryHttp: createOutboundThread({ allowNetworks, clock, limits }),
  };
}
