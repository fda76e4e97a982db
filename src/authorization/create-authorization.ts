import { Hono } from 'hono';
import type { Database, Queries } from '../kernel/database/database.ts';
import type { EdgeEnv, Mount } from '../kernel/edge/mount.ts';
import type { ScopeDeclaration } from '../kernel/edge/operation.ts';
import type { Random } from '../kernel/model/random.ts';
import { createOutboundHttp } from '../kernel/outbound/outbound-http.ts';
import type { DataDirectory } from '../kernel/process/data-directory.ts';
import type { SettingValues } from '../kernel/process/settings.ts';
import type { Worker } from '../kernel/process/worker.ts';
import type { Logger } from '../kernel/telemetry/logger.ts';
import type { Metrics } from '../kernel/telemetry/metrics.ts';
import type { Clock } from '../kernel/wait/clock.ts';
import { authorizationService } from './authorization-service.ts';
import { type BuiltInClient, openClients } from './clients/clients.ts';
import { type Authority, findHeldScopes } from './clients/find-held-scopes.ts';
import {
  createRegistration,
  type RegistrationService,
  registrationPaths,
} from './clients/registration.ts';
import { admissionOf, type authorizationSettings } from './config.ts';
import type { Guard } from './guard/principal.ts';
import {
  checkForServices,
  writeAuthorizationError,
  writeAuthorizationRefusal,
} from './http/answers.ts';
import { showErrorPage, wantsPage } from './http/error-page.ts';
import { mountManagement } from './management/management.ts';
import { openResources } from './management/resources.ts';
import {
  createMetadataEndpoints,
  metadataPaths,
  type ProtectedResource,
} from './metadata-endpoints.ts';
import type { SessionStatus } from './model/account.ts';
import { openTokens } from './open-tokens.ts';
import { peoplePaths } from './people/pages/people-app.ts';
import { createPeople, type People } from './people/people.ts';
import { parseResource } from './protocol/resource.ts';
import { createRequests, requestPaths } from './requests/requests.ts';
import { tokenPaths } from './requests/token-endpoints.ts';
import { holdAccount } from './store/account-store.ts';
import { keepClient, listClients } from './store/client-store.ts';
import { hasProviderGrants } from './store/grant-store.ts';
import { createRequestPruner } from './store/pruners.ts';

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
  /** Undefined where nobody has allowed anything in a session at an identity provider. */
  readonly isSignedIn: SessionStatus['isSignedIn'] | undefined;
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
  const outbound = createOutboundHttp({ allowNetworks: [], clock, logger });
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
    sessionStatus: () => people.sessionStatus,
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
    clients: { ...registry, list: (page) => listClients(database, { ...page, scopes }) },
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
    isSignedIn: await neededSignIns(options, people),
    setUpLink: people.setUpLink,
    async close() {
      registration.close();
      await people.close();
      await outbound.close();
    },
  };
}

/** Undefined where no delivery needs to ask: nobody can allow anything in a session at an identity provider. */
async function neededSignIns(
  { settings, database }: AuthorizationOptions,
  { sessionStatus }: People,
): Promise<Authorization['isSignedIn']> {
  const isNeeded = settings.idpIssuer !== undefined || (await hasProviderGrants(database));
  return isNeeded ? sessionStatus.isSignedIn : undefined;
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
