import type { SettingValues } from '../kernel/config/setting.ts';
import { createSealer } from '../kernel/crypto/sealer.ts';
import type { Database } from '../kernel/database/database.ts';
import type { EventBus } from '../kernel/event-bus/event-bus.ts';
import type { Mount } from '../kernel/http/mount/mount.ts';
import type { Worker } from '../kernel/lifecycle/worker.ts';
import type { Logger } from '../kernel/logging/logger.ts';
import type { Metrics } from '../kernel/metrics/metrics.ts';
import { parseNetworks } from '../kernel/network/network.ts';
import type { Random } from '../kernel/random/random.ts';
import type { Clock } from '../kernel/time/clock.ts';
import type { Tracer } from '../kernel/trace/tracer.ts';
import { builtInApplications } from './applications/built-in-applications.ts';
import { createCatalogue } from './applications/create-catalogue.ts';
import type { EventsCaller, FindHeldScopes, IdentifyCaller } from './caller.ts';
import type { eventsSettings } from './config.ts';
import { type CallerUseCases, createCallerUseCases } from './create-caller-use-cases.ts';
import { createDelivery } from './create-delivery.ts';
import { openBrokers } from './delivery/endpoints/open-brokers.ts';
import type { WebhookClients } from './delivery/endpoints/webhook/open-webhooks.ts';
import { observeQueues } from './delivery/queues/observe-queues.ts';
import { createEventsMount } from './http/create-events-mount.ts';
import { createQuotas } from './http/create-quotas.ts';
import type { Application } from './model/application.ts';
import { createBackgroundWork } from './operations/background-work.ts';
import { createOperationPruner } from './operations/create-operation-pruner.ts';
import { createStorageMeter } from './publishing/create-storage-meter.ts';
import { serveEventsMethods } from './serve-events-methods.ts';
import { createSources } from './sources/create-sources.ts';
import { createPairStart } from './sources/pair-start.ts';
import type { PriceSource } from './sources/price-source.ts';
import { listApplications } from './store/application-store.ts';
import { measureQueues, type QueueFigures } from './store/queue/queue-measure-store.ts';
import { createRequireRoom } from './subscriptions/checks/create-require-room.ts';
import { createMomentWorker } from './subscriptions/lifecycle/create-moment-worker.ts';
import { createGrantWithdrawal } from './subscriptions/lifecycle/grant-withdrawal.ts';
import { suspendSubscription } from './subscriptions/lifecycle/suspend-subscription.ts';

export type EventsOptions = {
  readonly settings: SettingValues<typeof eventsSettings>;
  readonly publicUrl: URL;
  /** Only this machine can reach the process, so its webhooks may call this machine. */
  readonly isLoopback: boolean;
  readonly database: Database;
  /** Seals signing secrets and page tokens. */
  readonly masterKey: Uint8Array;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Set if traces are recorded. */
  readonly tracer?: Tracer | undefined;
  readonly identifyCaller: IdentifyCaller;
  /** What authorities hold at the moment; without it a token is enough as long as it lives. */
  readonly heldScopes?: FindHeldScopes | undefined;
  /** Whether a client is the server's own console; without it none is. */
  readonly isConsole?: ((clientId: string) => boolean) | undefined;
  /** Brings the changes of other domains. */
  readonly bus: EventBus;
  /** The source of prices. Without it pairs can be subscribed to, but this process publishes no events of them. */
  readonly prices?: PriceSource | undefined;
  /** The NATS server of `natsSubject` endpoints; it may hold credentials. */
  readonly natsUrl?: string | undefined;
  /**
   * Whether credentials of Pub/Sub, or its emulator, are set up. If so, topics are those of Pub/Sub, not of this server
   * (E14.22).
   */
  readonly hasPubsub?: boolean | undefined;
  /** For how many subscriptions an event is queued before its publisher is answered; defaults to the declared limit. */
  readonly subscribersAtOnce?: number | undefined;
  /** Defaults to clients that the service makes. */
  readonly webhookClients?: WebhookClients;
};

/** The events service: its HTTP interface, its background workers, and what other domains may call. */
export type Events = {
  /** Serves the rest of `/v1`, so it is mounted after the services that own parts of it. */
  readonly mount: Mount;
  readonly workers: readonly Worker[];
  useCasesOf(caller: EventsCaller): CallerUseCases;
  measureQueues(): Promise<QueueFigures>;
  /** Ends the streams that readers have open. */
  endStreams(): void;
  close(): Promise<void>;
};

/** Makes the service out of its parts. Nothing runs before the workers do. */
export function createEvents(options: EventsOptions): Events {
  const { settings, database, masterKey, clock, random, logger, bus, publicUrl } = options;
  observeQueues({
    ...options,
    onFailure: (error) => logger.warn({ err: error }, 'queues not measured'),
  });
  const sourceHost = settings.eventSourceHost ?? publicUrl.host;
  const builtIn = openBuiltIn(options);
  const readAdded = () => listApplications(database);
  const catalogue = createCatalogue({ readAdded, builtIn, clock });
  const brokers = openBrokers(options);
  const storage = createStorageMeter({
    ...options,
    onFailure: tellOf(logger, 'stored events not measured'),
  });
  const delivery = createDelivery({
    ...options,
    allowNetworks: parseNetworks(settings.webhookAllow ?? (options.isLoopback ? ['loopback'] : [])),
    sourceHost,
    catalogue,
    builtIn,
    kinds: brokers.kinds,
    storage,
  });
  const { publisher, queues, checkEndpoint } = delivery;
  const folders = foldersOf(options);
  const background = createBackgroundWork(logger);
  const context = {
    database,
    clock,
    random,
    catalogue,
    queues,
    requireRoom: createRequireRoom({ database, clock }),
    heldScopes: options.heldScopes,
    checkEndpoint,
    errorDomain: publicUrl.host,
    sourceHost,
    sealer: createSealer({ masterKey, purpose: 'page tokens and repeated answers', random }),
    background,
  };
  bus.subscribe(createGrantWithdrawal({ ...context, visibility: settings.eventVisibility }));
  const quotas = createQuotas({ database, clock, publishQuota: settings.publishQuota });

  return {
    measureQueues: () => measureQueues(database),
    mount: createEventsMount({
      ...options,
      methods: serveEventsMethods({ ...options, context, delivery, quotas, storage }),
      quotas,
      errorDomain: publicUrl.host,
    }),
    workers: [
      createMomentWorker({
        ...context,
        onFailure: ({ error, work }) =>
          logger.error({ err: error, subscription: work?.key }, 'reminder or expiry failed'),
      }),
      createOperationPruner({
        database,
        clock,
        onFailure: tellOf(logger, 'operations not pruned'),
      }),
      storage.worker,
      ...createSources({ ...options, publisher, prices: options.prices, folders }),
      ...delivery.createWorkers({
        suspend: async (id, reason) => {
          await suspendSubscription(context, { id, reason });
        },
      }),
    ],
    useCasesOf: createCallerUseCases(context, quotas),
    endStreams: delivery.endStreams,
    async close() {
      await background.close();
      await delivery.close();
      await brokers.close();
    },
  };
}

function tellOf(logger: Logger, message: string): (error: unknown) => void {
  return (error) => logger.error({ err: error }, message);
}

function foldersOf({ settings }: EventsOptions): ReadonlyMap<string, string> {
  return settings.folders ?? new Map();
}

/** The built-in applications, with the folders, chains and prices of this process. */
function openBuiltIn(options: EventsOptions): readonly Application[] {
  const { prices, clock } = options;
  return builtInApplications({
    folders: [...foldersOf(options).keys()],
    servesChain: (chainId) => prices?.servesChain(chainId) ?? true,
    ...(prices ? { onPairCreate: createPairStart({ prices, clock }) } : {}),
  });
}
