import { createSealer } from '../kernel/crypto/sealer.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Mount } from '../kernel/edge/mount.ts';
import { type Network, parseNetworks } from '../kernel/model/network.ts';
import type { Random } from '../kernel/model/random.ts';
import type { SettingValues } from '../kernel/process/settings.ts';
import type { Worker } from '../kernel/process/worker.ts';
import type { Logger } from '../kernel/telemetry/logger.ts';
import type { Metrics } from '../kernel/telemetry/metrics.ts';
import type { Tracer } from '../kernel/telemetry/trace.ts';
import type { Clock } from '../kernel/wait/clock.ts';
import type { EventBus } from '../kernel/work/event-bus.ts';
import type { WorkFailure } from '../kernel/work/work-worker.ts';
import { builtInApplications } from './applications/built-in-applications.ts';
import { createApplications } from './applications/create-applications.ts';
import { createCatalogue, type RefreshableCatalogue } from './applications/create-catalogue.ts';
import type { eventsSettings } from './config.ts';
import { type CallerUseCases, createCallerUseCases } from './create-caller-use-cases.ts';
import { createDelivery, type Delivery } from './create-delivery.ts';
import { observeQueues } from './delivery/delivery-queues.ts';
import { openBrokers } from './delivery/endpoints/open-brokers.ts';
import type { WebhookClients } from './delivery/endpoints/webhook-endpoint.ts';
import { createEventsMount } from './http/create-events-mount.ts';
import { createQuotas, type Quotas } from './http/create-quotas.ts';
import { applicationMethods } from './http/methods/application-methods.ts';
import type { ServedMethod } from './http/methods/method.ts';
import { publishMethod } from './http/methods/publish-method.ts';
import { monitorMethods } from './http/methods/serve-monitor.ts';
import { subscriptionMethods } from './http/methods/subscription-methods.ts';
import { createMcpEvents, type McpEvents } from './mcp/create-mcp-events.ts';
import type { Application } from './model/application.ts';
import type {
  EventsCaller,
  EventVisibility,
  FindHeldScopes,
  IdentifyCaller,
  IsSignedIn,
} from './model/caller.ts';
import { createStorageMeter, type StorageMeter } from './publishing/create-storage-meter.ts';
import { createSources } from './sources/create-sources.ts';
import { createPairStart, type PriceSource } from './sources/price-source.ts';
import { listApplications } from './store/application-store.ts';
import { measureQueues, type QueueFigures } from './store/queue/measure-store.ts';
import { createRequireRoom } from './subscriptions/create-require-room.ts';
import { findReadable, findReadableSubscription } from './subscriptions/get-subscription.ts';
import { createMomentWorker } from './subscriptions/lifecycle/create-moment-worker.ts';
import {
  createGrantWithdrawal,
  suspendAllOfTypes,
  suspendSubscription,
} from './subscriptions/lifecycle/suspend-subscription.ts';
import { createBackgroundWork, createOperationPruner } from './subscriptions/operations.ts';
import type { SubscriptionContext } from './subscriptions/subscription-context.ts';

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
  /** Asked before deliveries; without it everybody stays signed in. */
  readonly isSignedIn?: IsSignedIn | undefined;
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
  /** Subscriptions as MCP clients ask for them. */
  readonly mcp: McpEvents;
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
  const allowNetworks = networksOf(options);
  const delivery = createDelivery({
    ...options,
    allowNetworks,
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
  const mcp = openMcp(options, { context, allowNetworks, delivery });
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
      createMomentWorker({ ...context, onFailure: tellOfMoment(logger) }),
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
    mcp,
    endStreams: delivery.endStreams,
    async close() {
      await background.close();
      for (const part of [delivery, mcp, brokers]) await part.close();
    },
  };
}

/** The networks, beyond public ones, that webhooks may reach. */
function networksOf({ settings, isLoopback }: EventsOptions): Network[] {
  return parseNetworks(settings.webhookAllow ?? (isLoopback ? ['loopback'] : []));
}

function tellOfMoment(logger: Logger) {
  return ({ error, work }: WorkFailure) =>
    logger.error({ err: error, subscription: work?.key }, 'reminder or expiry failed');
}

/** Subscriptions as MCP clients ask for them, over the same delivery. */
function openMcp(
  options: EventsOptions,
  parts: { context: SubscriptionContext; allowNetworks: readonly Network[]; delivery: Delivery },
): McpEvents {
  const { wakes, catchUp, http } = parts.delivery;
  return createMcpEvents({
    ...options,
    ...parts,
    ...{ wakes, catchUp, http },
    visibility: options.settings.eventVisibility,
    onFailure: tellOf(options.logger, 'subscriptions of MCP clients not counted'),
  });
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

export type EventsMethodsOptions = {
  readonly settings: { readonly eventVisibility: EventVisibility };
  readonly context: SubscriptionContext & { readonly catalogue: RefreshableCatalogue };
  readonly delivery: Delivery;
  readonly quotas: Quotas;
  readonly storage: StorageMeter;
  /** Whether a client is the server's own console; without it none is. */
  readonly isConsole?: ((clientId: string) => boolean) | undefined;
};

/** Every method of the events API with the use case that answers it. */
export function serveEventsMethods(options: EventsMethodsOptions): ServedMethod[] {
  const { context, delivery, quotas, storage, settings, isConsole = () => false } = options;
  const { database, catalogue, clock } = context;
  const { publisher, catchUp } = delivery;
  const applications = createApplications({
    database,
    catalogue,
    clock,
    suspendAll: (eventTypes) => suspendAllOfTypes(context, eventTypes),
  });
  return [
    ...subscriptionMethods(context),
    ...delivery.methods({
      findOwn: (caller, name) => findReadableSubscription(context, { caller, name }),
      readableOf: (caller, ids) => findReadable(context, { caller, ids }),
    }),
    publishMethod({ publisher, catalogue, quotas, storage, clock }),
    ...applicationMethods(applications),
    ...monitorMethods({
      ...delivery.monitoring,
      context: {
        ...context,
        publisher,
        visibility: settings.eventVisibility,
        isConsole,
        catchUp,
        inTurn: delivery.inTurn,
      },
    }),
  ];
}
