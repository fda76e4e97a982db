import { Hono } from 'hono';
import type { SettingValues } from '../kernel/config/setting.ts';
import type { Database, Queries } from '../kernel/database/database.ts';
import type { DataDirectory } from '../kernel/files/data-directory.ts';
import type { EdgeEnv } from '../kernel/http/mount/edge-env.ts';
import type { Mount } from '../kernel/http/mount/mount.ts';
import type { Worker } from '../kernel/lifecycle/worker.ts';
import type { Logger } from '../kernel/logging/logger.ts';
import type { Metrics } from '../kernel/metrics/metrics.ts';
import { createOutboundHttp } from '../kernel/outbound-http/create-outbound-http.ts';
import type { Random } from '../kernel/random/random.ts';
import type { ScopeDeclaration } from '../kernel/scope-declaration.ts';
import type { Clock } from '../kernel/time/clock.ts';
import { authorizationService } from './authorization-service.ts';
import { admissionOf, type authorizationSettings } from './config.ts';
import type { Guard } from './guard/principal.ts';
import { parseResource } from './protocol/resource.ts';
import { createRequests, requestPaths } from './server/authorize/create-requests.ts';
import type { BuiltInClient } from './server/clients/built-in-clients.ts';
import { type Authority, findHeldScopes } from './server/clients/find-held-scopes.ts';
import { openClients } from './server/clients/open-clients.ts';
import {
  createRegistration,
  type RegistrationService,
  registrationPaths,
} from './server/clients/registration/create-registration.ts';
import { showErrorPage } from './server/http/show-error-page.ts';
import { wantsPage } from './server/http/wants-page.ts';
import {
  checkForServices,
  writeAuthorizationError,
  writeAuthorizationRefusal,
} from './server/http/write-error.ts';
import { mountManagement } from './server/management/mount-management.ts';
import {
  createMetadataEndpoints,
  metadataPaths,
} from './server/metadata/create-metadata-endpoints.ts';
import type { ProtectedResource } from './server/metadata/protected-resource.ts';
import { openTokens } from './server/open-tokens.ts';
import { createPeople, type People } from './server/people/create-people.ts';
import { peoplePaths } from './server/people/routes/create-people-app.ts';
import { openResources } from './server/resources/open-resources.ts';
import { holdAccount } from './server/store/account-store.ts';
import { keepClient, listClients } from './server/store/client-store.ts';
import { createRequestPruner } from './server/store/create-request-pruner.ts';
import { tokenPaths } from './server/token-endpoints/create-token-endpoints.ts';

export type AuthorizationOptions = {
  readonly settings: SettingValues<typeof authorizationSettings>;
  readonly publicUrl: URL;
  /** Only this machine reaches the server, and no proxy or public address leads others to it. */
  readonly isLoopback: boolean;
  /** The directory in which the command line finds the credential of the local operator. */
  readonly dataDir: DataDirectory;
  readonly database: Database;
  readonly masterKey: Uint8Array;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Origins, beside our own, whose pages are trusted like ours. */
  readonly allowedOrigins?: readonly string[];
  /** The paths of this server that require a token. */
  readonly resources: readonly ProtectedResource[];
  readonly scopeDeclarations: readonly ScopeDeclaration[];
  /** Clients that belong to this server and need no registration. */
  readonly builtInClients?: readonly BuiltInClient[];
};

/** The authorization service: its interface, its workers, and the guard for other services. */
export type Authorization = {
  readonly mount: Mount;
  /** The interface that manages people, sessions, grants, resources and keys. */
  readonly management: Mount;
  readonly workers: readonly Worker[];
  readonly guard: Guard;
  /** The check of the guard, with refusals that the edge writes in the envelopes of other services. */
  readonly checkForServices: Guard['check'];
  /** What an authority may do at the moment, see `findHeldScopes`. */
  heldScopes(queries: Queries, authority: Authority): Promise<readonly string[]>;
  /** Where the owner chooses a password, as long as there is none. */
  readonly setUpLink: string | undefined;
  close(): Promise<void>;
};

/**
 * Makes the authorization service out of its parts. Throws where its keys cannot be opened or the
 * data directory cannot be written.
 */
export async function createAuthorization(options: AuthorizationOptions): Promise<Authorization> {
  const { settings, publicUrl, isLoopback, database, clock, logger } = options;
  const issuer = publicUrl.origin;
  const { registration: mode, signUp } = admissionOf(settings, { isLoopback });
  const onFailure = (error: unknown) => logger.error({ err: error }, 'authorization worker failed');

  const added = await openResources({
    database,
    declarations: options.scopeDeclarations,
    configured: (settings.resources ?? []).map(parseResource),
    clock,
    onFailure,
  });
  const { scopes } = added;
  const outbound = createOutboundHttp({ allowNetworks: [], clock });
  const clients = openClients({ ...options, outbound, scopes, acceptsDocuments: mode !== 'off' });
  const findClient = clients.find;
  const tokens = await openTokens({
    ...options,
    scopes,
    protectedPaths: options.resources.map(({ path }) => path),
    foreignResources: added.addresses,
    accessTokenLifetime: settings.accessTokenLifetime,
    refreshTokenLifetime: settings.refreshTokenLifetime,
    outbound,
    findClient,
    keepClient: (clientId) => keepClient(database, clientId),
    isSessionAlive: (sessionId) => people.isSessionAlive(sessionId),
    onFailure,
  });
  const { remembered } = clients;
  const issuing = { ...options, ...tokens, issuer, scopes };
  const registration = createRegistration({ ...issuing, mode, remembered });
  const { registry } = registration;
  const requests = createRequests({
    ...issuing,
    findClient,
    keepClientIn: clients.keep,
    holdAccount,
    resources: { origin: issuer, foreign: added.addresses },
  });
  const people = await createPeople({
    ...options,
    signUp,
    scopes,
    nameOfResource: (address) => added.list().find(({ resource }) => resource === address)?.name,
    interactions: requests.interactions,
    grants: tokens.grants,
    findClient,
    clients: {
      list: (page) => listClients(database, { ...page, scopes }),
      register: registry.register,
      remove: registry.remove,
    },
  });
  const parts = { tokens, registration, people };
  const isBuiltIn = (id: string) =>
    options.builtInClients?.some(({ clientId }) => clientId === id) ?? false;

  return {
    mount: mountProtocol(options, { ...parts, requests, added, mode }),
    management: mountManagement(options, { ...parts, resources: added, findClient }),
    workers: [
      ...tokens.workers,
      added.worker,
      createRequestPruner({ database, removeClient: registry.removeUnagreed, clock, onFailure }),
      ...people.workers,
    ],
    guard: tokens.guard,
    checkForServices: checkForServices(tokens.guard),
    heldScopes: (queries, authority) =>
      findHeldScopes(queries, authority, { scopes, isBuiltIn, now: clock.now() }),
    setUpLink: people.setUpLink,
    async close() {
      registration.close();
      await people.close();
      await outbound.close();
    },
  };
}

/** The endpoints and pages of OAuth, at the root of the server. */
function mountProtocol(
  { publicUrl, resources, settings, builtInClients }: AuthorizationOptions,
  parts: {
    readonly tokens: Awaited<ReturnType<typeof openTokens>>;
    readonly registration: RegistrationService;
    readonly requests: ReturnType<typeof createRequests>;
    readonly people: People;
    readonly added: Awaited<ReturnType<typeof openResources>>;
    readonly mode: string;
  },
): Mount {
  const { tokens, registration, requests, people, added, mode } = parts;
  const metadata = createMetadataEndpoints({
    nativeClients: builtInClients
      ?.filter(({ applicationType }) => applicationType === 'native')
      .map(({ clientId }) => clientId),
    issuer: publicUrl.origin,
    canRegister: mode !== 'off',
    resources,
    scopes: added.scopes,
    added,
    isServed: settings.metadata === 'on',
  });
  const app = new Hono<EdgeEnv>();
  app.onError(writeAuthorizationError);
  for (const part of [registration.app, requests.app, people.app]) {
    app.route('/', part);
  }
  return {
    app,
    endpoints: [...metadata, ...tokens.endpoints],
    paths: {
      ...metadataPaths,
      ...registrationPaths,
      ...requestPaths,
      ...tokenPaths,
      ...peoplePaths,
    },
    service: authorizationService,
    writeRefusal: (error, refused) =>
      wantsPage(refused.request)
        ? showErrorPage(error, { req: refused.request })
        : writeAuthorizationRefusal(error, refused),
  };
}
