import { Hono } from 'hono';
import type { Clock } from '../kernel/clock.ts';
import type { SettingValues } from '../kernel/config/setting.ts';
import type { Database } from '../kernel/database/database.ts';
import type { Mount } from '../kernel/http/create-edge.ts';
import type { EdgeEnv } from '../kernel/http/edge-env.ts';
import type { Worker } from '../kernel/lifecycle/worker.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { createOutboundHttp } from '../kernel/outbound-http/create-outbound-http.ts';
import type { Random } from '../kernel/random.ts';
import { createRateLimiter } from '../kernel/rate-limit/rate-limiter.ts';
import type { authorizationSettings } from './config.ts';
import type { Guard } from './guard/principal.ts';
import { parseResource } from './protocol/resource.ts';
import { createAuthorizeRoutes } from './server/authorize/create-authorize-routes.ts';
import { createDeviceRoutes } from './server/authorize/create-device-routes.ts';
import { createInteractions } from './server/authorize/create-interactions.ts';
import { createPushedRequestRoutes } from './server/authorize/create-pushed-request-routes.ts';
import { createPushedRequests } from './server/authorize/create-pushed-requests.ts';
import { createClientDocuments } from './server/clients/create-client-documents.ts';
import { createClientRegistry } from './server/clients/create-client-registry.ts';
import { createClientRoutes } from './server/clients/create-client-routes.ts';
import { createFindClient } from './server/clients/create-find-client.ts';
import { createRegistrars } from './server/clients/create-registrars.ts';
import { writeOperatorCredential } from './server/clients/write-operator-credential.ts';
import { tokenPaths } from './server/http/create-token-routes.ts';
import { writeAuthorizationError, writeAuthorizationRefusal } from './server/http/write-error.ts';
import { createMetadataRoutes, metadataPaths } from './server/metadata/create-metadata-routes.ts';
import { endpointPaths } from './server/metadata/endpoint-paths.ts';
import type { ProtectedResource } from './server/metadata/protected-resource.ts';
import { openTokens } from './server/open-tokens.ts';
import { createPeople } from './server/people/create-people.ts';
import { createClientStore } from './server/store/client-store.ts';
import { createRequestPruner } from './server/store/create-request-pruner.ts';

export type AuthorizationOptions = {
  readonly settings: SettingValues<typeof authorizationSettings>;
  readonly publicUrl: URL;
  /** Only this machine can reach the process. */
  readonly isLoopback: boolean;
  /** Where the credential of the local operator is left for the command line. */
  readonly dataDir: string;
  readonly database: Database;
  readonly masterKey: Uint8Array;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The paths of this server that want a token. */
  readonly resources: readonly ProtectedResource[];
};

/** The authorization service: its interface, what it does in the background, and who may enter elsewhere. */
export type Authorization = {
  readonly mount: Mount;
  readonly workers: readonly Worker[];
  readonly guard: Guard;
  /** Where the owner chooses a password, as long as there is none. */
  readonly setUpLink: string | undefined;
  close(): Promise<void>;
};

/**
 * Makes the authorization service out of its parts. Throws where its keys cannot be opened or the
 * data directory cannot be written.
 */
export async function createAuthorization(options: AuthorizationOptions): Promise<Authorization> {
  const { settings, publicUrl, isLoopback, resources, database, clock, random, logger } = options;
  const issuer = publicUrl.origin;
  const registration = settings.registration ?? (isLoopback ? 'open' : 'token');
  const onFailure = (error: unknown) => logger.error({ err: error }, 'authorization worker failed');

  const outbound = createOutboundHttp({ allowNetworks: [], clock });
  const operatorCredential = writeOperatorCredential(options.dataDir, random);
  const clients = createClientStore(database);
  const findClient = createFindClient({
    store: clients,
    // Where only the operator makes clients, no document makes one either.
    documents: registration === 'off' ? undefined : createClientDocuments({ outbound, clock }),
    clock,
  });
  const foreignResources = (settings.resources ?? []).map(parseResource);
  const tokens = await openTokens({
    ...options,
    protectedPaths: resources.map(({ path }) => path),
    foreignResources,
    accessTokenLifetime: settings.accessTokenLifetime,
    refreshTokenLifetime: settings.refreshTokenLifetime,
    outbound,
    findClient,
    keepClient: (clientId) => clients.keep(database, clientId),
    isSessionAlive: (sessionId) => people.isSessionAlive(sessionId),
    onFailure,
  });
  const { grants, deviceCodes, guard, answerClient, checkProof } = tokens;
  const pushedRequests = createPushedRequests({ database, clock, random });
  const interactions = createInteractions({
    ...options,
    issuer,
    findClient,
    keepClient: clients.keep,
    grants,
    deviceCodes,
  });
  const registry = createClientRegistry({
    database,
    store: clients,
    grants,
    clock,
    random,
    unusedLifetime: settings.registrationLifetime,
  });
  const people = await createPeople({
    ...options,
    interactions,
    grants,
    findClient,
    clients: { list: clients.list, register: registry.register, remove: registry.remove },
  });
  const rules = { findClient, resources: { origin: issuer, foreign: foreignResources } };
  const limitRegistrations = createRateLimiter({
    database,
    clock,
    name: 'registrations',
    perMinute: settings.registrationRate,
  });
  const limitRequests = createRateLimiter({
    database,
    clock,
    name: 'authorization-requests',
    perMinute: requestsPerMinute,
  });

  const app = new Hono<EdgeEnv>();
  app.onError(writeAuthorizationError);
  app.route(
    '/',
    createMetadataRoutes({
      issuer,
      canRegister: registration !== 'off',
      resources,
      isServed: settings.metadata === 'on',
    }),
  );
  app.route(
    '/',
    createClientRoutes({
      issuer,
      registry,
      store: clients,
      registrars: createRegistrars({
        mode: registration,
        guard,
        operatorTokenHash: operatorCredential.hash,
        registrationToken: settings.registrationToken,
      }),
      limiter: limitRegistrations,
      clock,
    }),
  );
  const limiter = limitRequests;
  const requests = {
    issuer,
    rules,
    interactions,
    pushedRequests,
    answerClient,
    checkProof,
    limiter,
  };
  app.route('/', createAuthorizeRoutes(requests));
  app.route('/', createPushedRequestRoutes(requests));
  app.route('/', createDeviceRoutes({ ...requests, resources: rules.resources, clock }));
  app.route('/', tokens.app);
  app.route('/', people.app);

  return {
    mount: {
      app,
      paths: {
        ...metadataPaths,
        ...tokenPaths,
        [`${endpointPaths.register}/*`]: { origins: 'any' },
        [endpointPaths.pushedRequest]: { origins: 'any' },
        [endpointPaths.deviceAuthorization]: { origins: 'any' },
        '/authorize/*': { origins: 'own-or-null' },
        ...people.paths,
      },
      writeRefusal: writeAuthorizationRefusal,
    },
    workers: [
      ...tokens.workers,
      createRequestPruner({ database, clients, clock, onFailure }),
      ...people.workers,
    ],
    guard,
    setUpLink: people.setUpLink,
    async close() {
      operatorCredential.remove();
      await people.close();
      await outbound.close();
    },
  };
}

/** Each stores a request that waits for a person: as many as registrations. */
const requestsPerMinute = 600;
