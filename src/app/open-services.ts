import { type Authorization, openAuthorization } from '../authorization/index.ts';
import { openContext } from '../context/index.ts';
import { type IdentifyCaller, openEvents } from '../events/index.ts';
import { openMasterKey } from '../kernel/crypto/open-master-key.ts';
import type { Database } from '../kernel/database/database.ts';
import { openSwap } from '../swap/index.ts';
import { builtInClients, isConsole } from './access/built-in-clients.ts';
import { protectedResourcesOf } from './access/protected-resources.ts';
import { scopeDeclarations } from './access/scope-declarations.ts';
import type { EnteredOptions } from './compose-options.ts';
import { contextUseCases } from './context-use-cases.ts';
import type { OpenDevchain } from './development-chain/open-devchain.ts';
import { chooseOpener } from './installation/choose-opener.ts';
import type { Foundation } from './open-foundation.ts';
import { isOnlyThisMachine } from './settings/only-this-machine.ts';
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
