import { type Authorization, openAuthorization } from '../authorization/index.ts';
import { type ContextUseCases, openContext, type SubscriptionUseCases } from '../context/index.ts';
import { type Events, type IdentifyCaller, openEvents } from '../events/index.ts';
import type { Database } from '../kernel/database/database.ts';
import { openSwap, type Swap } from '../swap/index.ts';
import { chainsOperation, quoteOperation, tokensOperation } from '../swap/wire.ts';
import { builtInClients, isConsole } from './built-in-clients.ts';
import type { EnteredOptions } from './compose-options.ts';
import { isOnlyThisMachine, scopeDeclarations } from './describe-strangers.ts';
import { chooseOpener } from './installation/installation-of.ts';
import { openMasterKey } from './installation/master-key.ts';
import type { OpenDevchain } from './open-devchain.ts';
import type { Foundation } from './open-foundation.ts';
import type { ServiceName } from './settings/server-settings.ts';
import { version } from './version.ts';

export type Services = Awaited<ReturnType<typeof openServices>>;

/**
 * Opens the services that this process runs, in the order of their dependencies. Disposing the stack
 * closes them; the caller closes the context service.
 */
export async function openServices(
  options: EnteredOptions,
  parts: {
    readonly foundation: Foundation;
    /** The development chain, if it is wanted; it is built while this process opens the other parts. */
    readonly building: Promise<OpenDevchain | undefined> | undefined;
    readonly opened: AsyncDisposableStack;
  },
) {
  const { foundation, building, opened } = parts;
  const { config, dataDir, publicUrl, clock, random, logger, metrics } = options;
  const isServed = (name: ServiceName) => config.server.services.includes(name);
  const common = { publicUrl, clock, random, logger, metrics };
  const { database, bus, tracer } = foundation;

  const masterKey = needsGuard(config.server.services)
    ? await openMasterKey({
        database,
        opener: chooseOpener({ ...config.server, dataDir }, random),
        random,
      })
    : undefined;
  const authorization = masterKey && (await openGuard(options, { database, masterKey }));
  opened.defer(() => authorization?.close());
  const devchain = await building;
  const swap = isServed('swap')
    ? await openSwap({
        ...common,
        settings: config.swap,
        development: devchain?.chain,
        database,
        subjectOf: authorization && subjectBy(authorization),
      })
    : undefined;
  opened.defer(() => swap?.close());
  const events =
    authorization && isServed('events')
      ? await openEvents({
          ...common,
          settings: config.events,
          isLoopback: options.isLoopback,
          database,
          masterKey,
          identifyCaller: identifyBy(authorization),
          heldScopes: authorization.heldScopes,
          isSignedIn: authorization.isSignedIn,
          bus,
          prices: swap?.watch,
          isConsole,
          natsUrl: config.server.natsUrl,
          hasPubsub: config.hasPubsub,
          tracer,
        })
      : undefined;
  opened.defer(() => events?.close());
  const context =
    authorization && isServed('context')
      ? await openContext({
          ...common,
          useCases: contextUseCases({ swap, events }),
          protect: authorization.guard.protect,
          database,
          version,
        })
      : undefined;
  return { authorization, devchain, swap, events, context };
}

/**
 * All services but swap require tokens. They check them with the keys in the database, whichever process
 * issued the token.
 */
function needsGuard(services: readonly ServiceName[]): boolean {
  return services.some((name) => name !== 'swap');
}

async function openGuard(
  options: EnteredOptions,
  { database, masterKey }: { database: Database; masterKey: Uint8Array },
): Promise<Authorization> {
  const { config, dataDir, publicUrl, clock, random, logger, metrics } = options;
  const { services, allowedOrigins } = config.server;
  return openAuthorization({
    settings: config.authorization,
    publicUrl,
    isLoopback: isOnlyThisMachine(config.server),
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

/** A caller with an invalid token counts as anonymous, since quotes need no token. */
function subjectBy({ checkForServices }: Authorization) {
  return async (request: Request): Promise<string | undefined> =>
    request.headers.has('authorization')
      ? (await checkForServices(request)).principal?.subject
      : undefined;
}

function identifyBy({ checkForServices }: Authorization): IdentifyCaller {
  return async (request, scope) => {
    const { principal, refusal } = await checkForServices(request, {
      scope,
      isAnyEnough: true,
    });
    return principal === undefined ? { refusal } : { caller: principal };
  };
}

// A price that moved by less is not worth waking an agent for.
const thresholdBps = 10;

/** What callers of the MCP endpoint can do with the services of this process. */
function contextUseCases(services: {
  readonly swap?: Swap | undefined;
  readonly events?: Events | undefined;
}): ContextUseCases {
  const { swap, events } = services;
  return {
    ...(swap ? swapUseCases(swap) : {}),
    ...(events
      ? { subscriptions: subscriptionUseCases(events), events: eventUseCases(events) }
      : {}),
  };
}

function swapUseCases({ answers, watch }: Swap): Pick<ContextUseCases, 'swap' | 'pairs'> {
  return {
    swap: {
      quote: {
        output: quoteOperation.data,
        ask: (given, { signal, caller: { subject } }) => answers.quote(given, { signal, subject }),
      },
      chains: { output: chainsOperation.data, ask: () => answers.chains() },
      tokens: {
        output: tokensOperation.data,
        ask: (given, { signal, caller: { subject } }) => answers.tokens(given, { signal, subject }),
      },
    },
    pairs: {
      read: (pair, { signal, caller: { subject } }) => answers.pairPrice(pair, { signal, subject }),
      watch: (pair, onChange) =>
        watch.watchPair({ ...pair, thresholdBps }, ({ kinds }) => {
          // The first reading has no kinds of change: it is the baseline.
          if (kinds.length > 0) onChange();
        }),
    },
  };
}

function subscriptionUseCases({ useCasesOf }: Events): SubscriptionUseCases {
  return {
    create: (body, { caller }) => useCasesOf(caller).create(body),
    get: (name, { caller }) => useCasesOf(caller).get(name),
    list: (query, { caller }) => useCasesOf(caller).list(query),
    delete: (name, { caller }) => useCasesOf(caller).delete(name),
    reactivate: (name, { caller }) => useCasesOf(caller).reactivate(name),
  };
}

function eventUseCases({ mcp }: Events): ContextUseCases['events'] {
  return {
    ask: (method, params, options) => mcp.ask(method, { ...options, params }),
    stream: (params, options) => mcp.stream({ ...options, params }),
    toError: mcp.toError,
    scopesOf: mcp.scopesOf,
  };
}

const protectedResources = [
  {
    service: 'context',
    path: '/mcp',
    name: 'Tradewind for agents',
    scope: ['swap.read', 'subscriptions.read', 'subscriptions.write'],
  },
  {
    service: 'events',
    path: '/v1/subscriptions',
    name: 'Tradewind subscriptions',
    scope: ['subscriptions.read', 'subscriptions.write'],
  },
  {
    service: 'events',
    path: '/v1/events',
    name: 'Tradewind publishing',
    scope: ['events.publish'],
  },
] as const;

/** The paths of these services that need a token, as their metadata describes them (RFC 9728). */
function protectedResourcesOf(services: readonly ServiceName[]) {
  return protectedResources.filter(({ service }) => services.includes(service));
}
