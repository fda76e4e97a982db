import { type Authorization, openAuthorization } from '../authorization/index.ts';
import { createConsoleMount } from '../console/index.ts';
import { openContext } from '../context/index.ts';
import { type IdentifyCaller, openEvents } from '../events/index.ts';
import { openMasterKey } from '../kernel/crypto/open-master-key.ts';
import type { Database } from '../kernel/database/database.ts';
import { migrate } from '../kernel/database/migrate.ts';
import { observeDatabase } from '../kernel/database/observe-database.ts';
import { openDatabase } from '../kernel/database/open-database.ts';
import type { EventFailure } from '../kernel/event-bus/event-bus.ts';
import { createInProcessEventBus } from '../kernel/event-bus/in-process-event-bus.ts';
import { createEdge, type Edge } from '../kernel/http/create-edge.ts';
import type { Mount } from '../kernel/http/mount.ts';
import type { Health } from '../kernel/lifecycle/health.ts';
import { openHeartbeat } from '../kernel/lifecycle/open-heartbeat.ts';
import type { Worker } from '../kernel/lifecycle/worker.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { parseNetworks } from '../kernel/network/network.ts';
import { createReferenceMount } from '../kernel/operations/create-reference-mount.ts';
import { describeOpenApi } from '../kernel/operations/describe-open-api.ts';
import { createOutboxPruner } from '../kernel/outbox/outbox-pruner.ts';
import { openOutboxRelay } from '../kernel/outbox/outbox-relay.ts';
import type { Random } from '../kernel/random.ts';
import { createRateLimitPruner } from '../kernel/rate-limit/rate-limit-pruner.ts';
import type { SteadyClock } from '../kernel/steady-clock.ts';
import { developmentChainId, openSwap } from '../swap/index.ts';
import { builtInClients, isConsole } from './built-in-clients.ts';
import { contextUseCases } from './context-use-cases.ts';
import { beginDevchain } from './development-chain/begin-devchain.ts';
import { chooseOpener } from './installation/choose-opener.ts';
import { migrations } from './installation/migrations.ts';
import { openNatsBus } from './open-nats-bus.ts';
import { openTracer } from './open-tracer.ts';
import { createSystemDescription } from './operator/describe-system.ts';
import { observeRequests } from './operator/observe-requests.ts';
import { operatorMount } from './operator/operator-mount.ts';
import { protectedResourcesOf } from './protected-resources.ts';
import { scopeDeclarations } from './scope-declarations.ts';
import type { Config } from './settings/all-settings.ts';
import type { ServiceName } from './settings/server-settings.ts';
import { suggestCommands } from './suggest-commands.ts';
import { version } from './version.ts';

export type ComposeOptions = {
  readonly config: Config;
  readonly publicUrl: URL;
  /** Only this machine can reach the process, so that it may offer what others must not drive. */
  readonly isLoopback: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly clock: SteadyClock;
  readonly random: Random;
};

export type Composition = {
  readonly edge: Edge;
  /** What the edge serves. */
  readonly mounts: readonly Mount[];
  readonly workers: readonly Worker[];
  /** What the store is, for people. */
  readonly database: string;
  readonly services: readonly ServiceName[];
  /** Commands that show what this process can do. */
  readonly tryNext: readonly string[];
  /** Where the owner chooses a password, as long as there is none. */
  readonly setUpLink: string | undefined;
  /** Ends the streams that would otherwise last as long as their readers. */
  endStreams(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Makes every part of the process and joins them: the only place where concrete parts meet. Throws what
 * keeps a part from being made, with those made before it closed again.
 */
export async function compose(options: ComposeOptions): Promise<Composition> {
  const { config, publicUrl, logger, metrics, health, clock, random } = options;
  const { dataDir, databaseUrl, natsUrl } = config.server;

  // What was opened last is closed first, at the end as after a start that fails halfway.
  const opened = new AsyncDisposableStack();
  try {
    // It is built in a process of its own, while this one makes the other parts.
    const building = wantsDevchain(options) ? beginDevchain(options) : undefined;
    opened.defer(() => building?.close());
    const store = await openDatabase({
      dataDir,
      url: databaseUrl,
      patienceMs: config.server.databaseTimeout,
    });
    opened.defer(() => store.close());
    const database = observeDatabase(store, { metrics, clock });
    await migrate(database, migrations);
    const heartbeat = await openHeartbeat({
      database,
      clock,
      onFailure: (error) => logger.error({ err: error }, 'heartbeat not written'),
    });

    const onFailure = ({ error, consumer, event, attempts }: EventFailure) =>
      logger.error(
        { err: error, consumer, topic: event?.topic, event: event?.id, attempts },
        'event not handled, comes again',
      );
    const nats = await openNatsBus(natsUrl, { database, clock, random, onFailure });
    opened.defer(() => nats?.close());
    const bus = nats ?? createInProcessEventBus();
    const rateLimitPruner = createRateLimitPruner({
      database,
      clock,
      onFailure: (error) => logger.error({ err: error }, 'rate limits not pruned'),
    });

    const { tracer, workers: tracing } = await openTracer(config.traces, { clock, random, logger });
    const { services } = config.server;
    const isServed = (name: ServiceName) => services.includes(name);
    const masterKey = needsGuard(services)
      ? await openMasterKey({ database, opener: chooseOpener(config.server, random), random })
      : undefined;
    const authorization = masterKey && (await openGuard(options, { database, masterKey }));
    opened.defer(() => authorization?.close());
    const devchain = await building?.devchain;
    const swap = isServed('swap')
      ? await openSwap({
          settings: config.swap,
          development: devchain?.chain,
          database,
          publicUrl,
          subjectOf: authorization && subjectBy(authorization),
          clock,
          random,
          logger,
          metrics,
        })
      : undefined;
    opened.defer(() => swap?.close());
    const events =
      authorization && isServed('events')
        ? await openEvents({
            settings: config.events,
            publicUrl,
            isLoopback: options.isLoopback,
            database,
            masterKey,
            identifyCaller: identifyBy(authorization),
            bus,
            prices: swap?.watch,
            isConsole,
            natsUrl,
            hasPubsub: config.hasPubsub,
            clock,
            random,
            logger,
            metrics,
            tracer,
          })
        : undefined;
    opened.defer(() => events?.close());
    const context =
      authorization && isServed('context')
        ? await openContext({
            useCases: contextUseCases({ swap, events }),
            protect: authorization.guard.protect,
            version,
            database,
            clock,
            random,
            logger,
          })
        : undefined;

    // Every consumer is known by now: the relay fetches for those alone.
    const relay = await openOutboxRelay({ database, bus, clock, random, onFailure });
    const pruner = createOutboxPruner({
      database,
      bus,
      clock,
      onFailure: (error) => logger.error({ err: error }, 'outbox not pruned'),
    });

    const workers = [
      heartbeat.worker,
      // Workers end in the reverse order: what the others do at their end is still sent.
      ...tracing,
      ...bus.workers(),
      relay,
      pruner,
      rateLimitPruner,
      ...(authorization?.workers ?? []),
      ...(swap?.workers ?? []),
      ...(events?.workers ?? []),
    ];
    const tryNext = suggestCommands({ publicUrl, services, development: devchain?.chain });
    const mounts = [
      ...(swap ? [swap.mount] : []),
      ...(authorization && isServed('authorization')
        ? [authorization.mount, authorization.management]
        : []),
      ...(context ? [context.mount] : []),
      ...(devchain ? [devchain.mount] : []),
      operatorMount({
        health,
        beat: heartbeat.beat,
        nats,
        metrics,
        protectAsAdmin:
          authorization &&
          ((request) => authorization.guard.protect(request, { scope: ['admin'] })),
        describeSystem: createSystemDescription({
          config,
          health,
          engine: database.engine,
          beat: heartbeat.beat,
          nats,
          measureQueues: events?.measureQueues,
          workers: () => workers,
          clock,
        }),
        clock,
      }),
      // It owns what is left of /v1.
      ...(events ? [events.mount] : []),
    ];
    const declared = mounts.flatMap(({ service = [] }) => service);
    const document = describeOpenApi(declared, publicUrl.origin);
    const pages = [
      createConsoleMount({
        version,
        services,
        publicUrl,
        tryNext,
        document,
        samples: declared.flatMap(({ sample = [] }) => sample),
      }),
      createReferenceMount(document),
    ];
    const edge = createEdge({
      publicUrl,
      trustedProxies: parseNetworks(config.server.trustedProxy ?? []),
      allowedOrigins: config.server.allowedOrigins ?? [],
      mounts: [...mounts, ...pages],
      logger,
      clock,
      random,
      observeRequest: observeRequests(metrics),
      tracer,
    });
    return {
      edge,
      mounts: [...mounts, ...pages],
      workers,
      database: database.engine === 'sqlite' ? `embedded, in ${dataDir}` : 'PostgreSQL',
      services,
      tryNext,
      setUpLink: isServed('authorization') ? authorization?.setUpLink : undefined,
      async endStreams() {
        events?.endStreams();
        await context?.close();
      },
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Whoever wants tokens can check them: with the keys in the database, whichever process issues them. */
function needsGuard(services: readonly ServiceName[]): boolean {
  return services.some((name) => name !== 'swap');
}

async function openGuard(
  options: ComposeOptions,
  { database, masterKey }: { database: Database; masterKey: Uint8Array },
): Promise<Authorization> {
  const { config, publicUrl, isLoopback, clock, random, logger, metrics } = options;
  const { dataDir, services, allowedOrigins } = config.server;
  return openAuthorization({
    settings: config.authorization,
    publicUrl,
    isLoopback,
    dataDir,
    database,
    masterKey,
    clock,
    random,
    logger,
    metrics,
    resources: protectedResourcesOf(services),
    scopeDeclarations,
    builtInClients: builtInClients(publicUrl),
    allowedOrigins: allowedOrigins ?? [],
  });
}

/** Who shows a token that is not valid counts as anonymous: quotes need none. */
function subjectBy({ guard }: Authorization) {
  return async (request: Request): Promise<string | undefined> =>
    request.headers.has('authorization')
      ? (await guard.check(request)).principal?.subject
      : undefined;
}

function identifyBy({ guard }: Authorization): IdentifyCaller {
  return async (request, scope) => {
    const { principal, refusal } = await guard.check(request, { scope, isAnyEnough: true });
    return principal === undefined ? { refusal } : { caller: principal };
  };
}

function wantsDevchain({ config, isLoopback, publicUrl }: ComposeOptions): boolean {
  const { services, devchain } = config.server;
  const isChosen = config.swap.chains?.includes(developmentChainId) ?? true;
  // Wallets and this server itself reach it over plain HTTP, which it must not offer to others.
  const isReachable = isLoopback && publicUrl.protocol === 'http:';
  return services.includes('swap') && devchain === 'auto' && isChosen && isReachable;
}
