import { createConsoleMount } from '../console/index.ts';
import { type DataDirectory, enterDataDirectory } from '../kernel/files/data-directory.ts';
import { createEdge, type Edge } from '../kernel/http/create-edge.ts';
import { createReferenceMount } from '../kernel/http/mount/create-reference-mount.ts';
import type { Mount } from '../kernel/http/mount/mount.ts';
import type { Worker } from '../kernel/lifecycle/worker.ts';
import { parseNetworks } from '../kernel/network/network.ts';
import { describeOpenApi } from '../kernel/operations/describe-open-api.ts';
import type { ComposeOptions, EnteredOptions } from './compose-options.ts';
import { beginDevchain } from './development-chain/begin-devchain.ts';
import { wantsDevchain } from './development-chain/wants-devchain.ts';
import { type Foundation, openFoundation } from './open-foundation.ts';
import { openServices, type Services } from './open-services.ts';
import { createSystemDescription } from './operator/describe-system.ts';
import { observeRequests } from './operator/observe-requests.ts';
import { operatorMount } from './operator/operator-mount.ts';
import type { ServiceName } from './settings/server-settings.ts';
import { suggestCommands } from './suggest-commands.ts';
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
