import { createConsoleMount } from '../console/index.ts';
import { createEdge, type Edge } from '../kernel/edge/create-edge.ts';
import type { RequestObservation } from '../kernel/edge/gate/log-access.ts';
import type { Mount } from '../kernel/edge/mount.ts';
import { createReferenceMount, describeOpenApi } from '../kernel/edge/open-api.ts';
import { parseNetworks } from '../kernel/model/network.ts';
import { type DataDirectory, enterDataDirectory } from '../kernel/process/data-directory.ts';
import type { Worker } from '../kernel/process/worker.ts';
import type { Metrics } from '../kernel/telemetry/metrics.ts';
import { type DevelopmentChain, developmentChainId, nativeToken } from '../swap/index.ts';
import type { ComposeOptions, EnteredOptions } from './compose-options.ts';
import { createSystemDescription } from './describe-system.ts';
import type { OpenDevchain, openDevchain } from './open-devchain.ts';
import { type Foundation, openFoundation } from './open-foundation.ts';
import { openServices, type Services } from './open-services.ts';
import { operatorMount } from './operator-mount.ts';
import type { ServiceName } from './settings/server-settings.ts';
import { version } from './version.ts';

export type Composition = {
  readonly edge: Edge;
  /** What the edge serves. */
  readonly mounts: readonly Mount[];
  readonly workers: readonly Worker[];
  /** The store, described for people. */
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
 * Opens every part of the process and connects them: the foundation, the services on it, and the edge that
 * serves them. Concrete parts meet here and in the two functions that this one calls, nowhere else. If a part
 * fails to open, closes the parts opened before it and throws the error.
 */
export async function compose(options: ComposeOptions): Promise<Composition> {
  const { config, publicUrl } = options;
  const { services } = config.server;
  // First, so that nothing that is opened or started after it has more rights than the owner of the data.
  const entered: EnteredOptions = { ...options, dataDir: enterFor(options) };

  // Closes in the reverse order of opening, both at the end and after a start that fails halfway.
  const opened = new AsyncDisposableStack();
  try {
    // The development chain is built in a process of its own, while this one opens the other parts.
    const building = wantsDevchain(options) ? beginDevchain(options) : undefined;
    opened.defer(() => building?.close());
    const foundation = await openFoundation(entered, opened);
    const parts = await openServices(entered, { foundation, building: building?.devchain, opened });
    const { authorization, devchain, swap, events, context } = parts;

    const workers = [
      ...(await foundation.openWorkers()),
      ...(authorization?.workers ?? []),
      ...(swap?.workers ?? []),
      ...(events?.workers ?? []),
    ];
    const tryNext = suggestCommands({ publicUrl, services, development: devchain?.chain });
    const served = mountServices(options, { foundation, parts, workers });
    const mounts = [...served, ...mountPages(options, { served, tryNext })];
    return {
      edge: openEdge(options, { mounts, tracer: foundation.tracer }),
      mounts,
      workers,
      database:
        foundation.database.engine === 'sqlite' ? `embedded, in ${entered.dataDir}` : 'PostgreSQL',
      services,
      tryNext,
      setUpLink: services.includes('authorization') ? authorization?.setUpLink : undefined,
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

function enterFor({ config, logger }: ComposeOptions): DataDirectory {
  const { dataDir, databaseUrl } = config.server;
  return enterDataDirectory(dataDir, {
    make: databaseUrl === undefined,
    onOwner: ({ uid }) => logger.info({ uid, dataDir }, 'gave up root for the owner of the data'),
  });
}

/** The mounts of the services and that of operators. The first mount that owns a path answers it. */
function mountServices(
  { config, health, metrics, clock }: ComposeOptions,
  joined: { foundation: Foundation; parts: Services; workers: readonly Worker[] },
): readonly Mount[] {
  const { foundation, parts, workers } = joined;
  const { nats, database, heartbeat } = foundation;
  const { authorization, devchain, swap, events, context } = parts;
  const { beat, aheadOfStore } = heartbeat;
  const isIssuer = config.server.services.includes('authorization');
  return [
    ...(swap ? [swap.mount] : []),
    ...(authorization && isIssuer ? [authorization.mount, authorization.management] : []),
    ...(context ? [context.mount] : []),
    ...(devchain ? [devchain.mount] : []),
    operatorMount({
      health,
      beat,
      aheadOfStore,
      nats,
      metrics,
      protectAsAdmin:
        authorization && ((request) => authorization.guard.protect(request, { scope: ['admin'] })),
      describeSystem: createSystemDescription({
        config,
        health,
        engine: database.engine,
        beat,
        nats,
        measureQueues: events?.measureQueues,
        workers: () => workers,
        clock,
      }),
      clock,
    }),
    // Last, since it owns the rest of /v1.
    ...(events ? [events.mount] : []),
  ];
}

/** The console and the reference, which are made from the declared operations. */
function mountPages(
  { config, publicUrl }: ComposeOptions,
  { served, tryNext }: { served: readonly Mount[]; tryNext: readonly string[] },
): readonly Mount[] {
  const declared = served.flatMap(({ service = [] }) => service);
  const document = describeOpenApi(declared, publicUrl.origin);
  return [
    createConsoleMount({
      version,
      services: config.server.services,
      publicUrl,
      tryNext,
      document,
      samples: declared.flatMap(({ sample = [] }) => sample),
    }),
    createReferenceMount(document),
  ];
}

function openEdge(
  options: ComposeOptions,
  { mounts, tracer }: { mounts: readonly Mount[]; tracer: Foundation['tracer'] },
): Edge {
  const { config, publicUrl, logger, metrics, clock, random } = options;
  return createEdge({
    publicUrl,
    trustedProxies: parseNetworks(config.server.trustedProxy ?? []),
    forwardingHeader: config.server.forwardedHeader,
    allowedOrigins: config.server.allowedOrigins ?? [],
    mounts,
    logger,
    clock,
    random,
    observeRequest: observeRequests(metrics),
    tracer,
  });
}

/**
 * Begins to build the development chain, and returns at once a promise that nobody has to await. The code is loaded only here:
 * a server for others needs neither the chain nor its libraries.
 */
function beginDevchain(options: Omit<Parameters<typeof openDevchain>[0], 'signal'>): {
  readonly devchain: Promise<OpenDevchain | undefined>;
  /** Ends the chain, whether it is built or still being built. */
  close(): Promise<void>;
} {
  const closing = new AbortController();
  const devchain = import('./open-devchain.ts').then(({ openDevchain }) =>
    openDevchain({ ...options, signal: closing.signal }),
  );
  // Callers that await the promise get the error. If another part fails first, nobody does; that must not end the process.
  devchain.catch(() => {});
  return {
    devchain,
    async close() {
      closing.abort();
      await devchain.then(
        (built) => built?.close(),
        () => {},
      );
    },
  };
}

/** Whether this process shall build the development chain. */
function wantsDevchain({ config, isLoopback, publicUrl }: ComposeOptions): boolean {
  const { services, devchain } = config.server;
  const isChosen = config.swap.chains?.includes(developmentChainId) ?? true;
  // Wallets and this server call the chain over plain HTTP, which others must not reach.
  const isReachable = isLoopback && publicUrl.protocol === 'http:';
  return services.includes('swap') && devchain === 'auto' && isChosen && isReachable;
}

/** Commands that show a newcomer what this process can do, the most telling first. */
function suggestCommands(options: {
  readonly publicUrl: URL;
  readonly services: readonly ServiceName[];
  /** The development chain, if this process runs it. */
  readonly development: DevelopmentChain | undefined;
}): string[] {
  const { publicUrl, services, development } = options;
  const { origin } = publicUrl;
  return [
    ...(development === undefined ? [`curl ${origin}/health`] : suggestQuotes(origin, development)),
    ...(development !== undefined && services.includes('events') ? [suggestWatch(origin)] : []),
    ...(services.includes('context') ? [`npx tradewind tools ${origin}`] : []),
  ];
}

/** One basis point: selling 100 ETH moves the price by about twelve. */
function suggestWatch(origin: string): string {
  return `npx tradewind subscribe ETH/USDC --threshold-bps 1${serverFlag(origin)}  # then, elsewhere, the quote above`;
}

function dollarOf({ baseTokens, wrappedNative }: DevelopmentChain['deployment']): string {
  return baseTokens.find((token) => token !== wrappedNative) ?? '';
}

function suggestQuotes(origin: string, { deployment, account }: DevelopmentChain): string[] {
  const query = new URLSearchParams({
    tokenIn: nativeToken,
    tokenOut: dollarOf(deployment),
    amount: '1000000000000000000',
    sender: account,
  });
  return [
    `curl '${origin}/v1/swap/${deployment.chainId}?${query}'`,
    `npx tradewind quote 100 ETH USDC --execute${serverFlag(origin)}`,
  ];
}

/** Commands call the default address unless a flag names another. */
function serverFlag(origin: string): string {
  return origin === 'http://localhost:8787' ? '' : ` --server ${origin}`;
}

// From a cached answer to the longest that a patient caller waits, in seconds.
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts requests and their duration by method, route pattern and status. */
export function observeRequests(metrics: Metrics): (observation: RequestObservation) => void {
  const histogram = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the beginning of its answer.',
    labels: ['method', 'route', 'status'],
    buckets,
  });
  return ({ method, route, status, durationMs }) =>
    histogram.series({ method, route, status }).observe(durationMs / 1_000);
}
