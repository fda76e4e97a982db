import { type Context, Hono } from 'hono';
import { isSecretOf } from '../../kernel/crypto/hash.ts';
import type { Database } from '../../kernel/database/database.ts';
import { limitRate } from '../../kernel/edge/limit-rate.ts';
import type { EdgeEnv } from '../../kernel/edge/mount.ts';
import type { RateLimiter } from '../../kernel/edge/rate-limiter.ts';
import { parseJson } from '../../kernel/text/json.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { readBearerToken } from '../guard/challenge.ts';
import { noStore } from '../http/answers.ts';
import { endpointPaths } from '../http/endpoint-paths.ts';
import { type Client, needsConsent } from '../model/client.ts';
import type { Scopes } from '../protocol/scope.ts';
import { findStoredClient, listClients } from '../store/client-store.ts';
import type { ClientRegistry, Registration } from './client-registry.ts';
import { parseClientMetadata } from './parse-client-metadata.ts';
import type { Registrars } from './registrars.ts';

type ClientRouteOptions = {
  readonly issuer: string;
  readonly registry: ClientRegistry;
  readonly database: Database;
  readonly registrars: Registrars;
  /** Limit how often a caller registers clients, and how often it manages them (N5). */
  readonly limiters: { readonly registering: RateLimiter; readonly managing: RateLimiter };
  readonly scopes: Scopes;
  readonly clock: Clock;
};

const [defaultPage, longestPage] = [100, 1_000];

/**
 * Registration of clients (RFC 7591) and its management (RFC 7592), by a client with its registration
 * token or by the operator, who can also list all clients.
 */
export function createClientRoutes(options: ClientRouteOptions): Hono<EdgeEnv> {
  const { registry, database, registrars, limiters, scopes, clock } = options;
  const app = new Hono<EdgeEnv>();
  const path = endpointPaths.register;
  const describeRegistration = (described: Described) =>
    toRegistration(described, `${options.issuer}${path}`);
  const limit = (limiter: RateLimiter, policy: string) =>
    limitRate({ limiter, policy, windowSeconds: 60 });

  app.post(path, limit(limiters.registering, 'registrations'), async (c) => {
    const origin = await registrars.check(c.req.raw);
    const caller = c.get('context').caller.key;
    const input = await readMetadata(c, scopes);
    const registration = await registry.register(input, { origin, caller });
    return c.json(describeRegistration(registration), 201, noStore);
  });

  app.get(path, async (c) => {
    if (!(await registrars.isOperator(c.req.raw))) throw notAllowed();
    const pageSize = readPageSize(c.req.query('limit'));
    const after = c.req.query('after') ?? '';
    const page = { after, limit: pageSize, now: clock.now() };
    const clients = await listClients(database, { ...page, scopes });
    const next = clients.length === pageSize ? clients.at(-1)?.clientId : undefined;
    return c.json(
      { clients: clients.map(describeForOperator), ...(next === undefined ? {} : { next }) },
      200,
      noStore,
    );
  });

  app.use(`${path}/:clientId`, limit(limiters.managing, 'configuration'));

  app.get(`${path}/:clientId`, async (c) => {
    const { client, registrationToken } = await findManaged(c);
    return c.json(describeRegistration({ client, registrationToken }), 200, noStore);
  });

  app.put(`${path}/:clientId`, async (c) => {
    const { client, registrationToken } = await findManaged(c);
    const input = await readMetadata(c, scopes);
    checkIsOf(client, input);
    const by = registrationToken === undefined ? 'operator' : 'itself';
    const updated = await registry.update(client, { input, by });
    return c.json(describeRegistration({ ...updated, registrationToken }), 200, noStore);
  });

  app.delete(`${path}/:clientId`, async (c) => {
    const { client } = await findManaged(c);
    await registry.remove(client.clientId);
    return c.body(null, 204, noStore);
  });
  return app;

  /** The client that a request may manage. A wrong token and a removed client get the same answer. */
  async function findManaged(c: Context<EdgeEnv>) {
    const clientId = c.req.param('clientId') ?? '';
    const stored = await findStoredClient(database, clientId, { now: clock.now(), scopes });
    const token = readBearerToken(c.req.raw);
    if (stored && token !== undefined && isSecretOf(token, stored.registrationTokenHash)) {
      return { client: stored.client, registrationToken: token };
    }
    if (!(await registrars.isOperator(c.req.raw))) throw notAllowed();
    if (stored) return { client: stored.client, registrationToken: undefined };
    throw new AuthorizationError(
      'invalid_request',
      `There is no client ${clientId.slice(0, 64)}: list the clients to see their ids.`,
    );
  }
}

type Described = Pick<Registration, 'client'> & {
  readonly clientSecret?: string | undefined;
  readonly registrationToken: string | undefined;
};

/** What the client itself gets (RFC 7591 section 3.2.1); it is managed below the address of its endpoint. */
function toRegistration({ client, clientSecret, registrationToken }: Described, endpoint: string) {
  return {
    ...describeClient(client),
    // RFC 7591 section 3.2.1: 0 is never.
    ...(clientSecret === undefined
      ? {}
      : { client_secret: clientSecret, client_secret_expires_at: 0 }),
    registration_client_uri: `${endpoint}/${client.clientId}`,
    ...(registrationToken === undefined ? {} : { registration_access_token: registrationToken }),
  };
}

/** RFC 7592 section 2.2: an update must name its client, and may at most repeat its secret. */
function checkIsOf(client: Client, input: Readonly<Record<string, unknown>>): void {
  if (input.client_id !== client.clientId) {
    throw new AuthorizationError(
      'invalid_request',
      'The body must name the client it changes: send its client_id, and all of its metadata.',
    );
  }
  if (input.client_secret !== undefined && !isOwnSecret(client, input.client_secret)) {
    throw new AuthorizationError(
      'invalid_client_metadata',
      'The client_secret is not that of the client, and it cannot be chosen: leave it out.',
    );
  }
}

function describeForOperator(client: Client) {
  const { origin, isUnused, lastUsedAt } = client;
  return {
    ...describeClient(client),
    origin,
    is_unused: isUnused === true,
    // In seconds, like `client_id_issued_at` of RFC 7591.
    ...(lastUsedAt === undefined ? {} : { last_used_at: Math.floor(lastUsedAt / 1_000) }),
  };
}

function isOwnSecret({ secretHash }: Client, given: unknown): boolean {
  return typeof given === 'string' && secretHash !== undefined && isSecretOf(given, secretHash);
}

function readPageSize(text = String(defaultPage)): number {
  const size = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (size >= 1 && size <= longestPage) return size;
  throw new AuthorizationError(
    'invalid_request',
    `The limit "${text.slice(0, 20)}" must be a whole number from 1 to ${longestPage}.`,
  );
}

/** A page of another origin may only register clients that need a person's consent (N2). */
async function readMetadata(c: Context<EdgeEnv>, scopes: Scopes): Promise<Record<string, unknown>> {
  const input = await readJson(c);
  if (!c.get('context').isForeignPage) return input;
  const others = parseClientMetadata(input, { scopes }).grantTypes.filter(
    (type) => !needsConsent(type),
  );
  if (others.length === 0) return input;
  throw new AuthorizationError(
    'invalid_client_metadata',
    `A web page of another origin cannot register a client for ${others.join(', ')}, since no person consents to it: leave it out of grant_types.`,
  );
}

async function readJson(c: Context<EdgeEnv>): Promise<Record<string, unknown>> {
  const body: unknown = await c.req
    .text()
    .then(parseJson)
    .catch(() => undefined);
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>; // what else JSON has for objects
  throw new AuthorizationError(
    'invalid_client_metadata',
    'The body must be the metadata of a client as a JSON object that is not nested deeply.',
  );
}

function notAllowed(): AuthorizationError {
  return new AuthorizationError(
    'invalid_token',
    'The token is not valid here: send the registration token of this client, or an access token of scope admin.',
  );
}

/** A client as registration answers it (RFC 7591 section 3.2.1), without its secrets. */
function describeClient(client: Client) {
  const usesCodes = client.grantTypes.includes('authorization_code');
  return {
    client_id: client.clientId,
    client_id_issued_at: Math.floor(client.createdAt / 1_000),
    ...(client.name === undefined ? {} : { client_name: client.name }),
    ...(client.uri === undefined ? {} : { client_uri: client.uri }),
    redirect_uris: client.redirectUris,
    grant_types: client.grantTypes,
    response_types: usesCodes ? ['code'] : [],
    token_endpoint_auth_method: client.authentication,
    scope: client.defaultScope.join(' '),
    application_type: client.applicationType,
    dpop_bound_access_tokens: client.requiresDpop,
    ...(client.jwks === undefined ? {} : { jwks: client.jwks }),
    ...(client.jwksUri === undefined ? {} : { jwks_uri: client.jwksUri }),
  };
}
