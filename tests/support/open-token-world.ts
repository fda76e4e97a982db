import { Hono } from 'hono';
import { writeAuthorizationRefusal } from '../../src/authorization/http/answers.ts';
import type { AccountId } from '../../src/authorization/model/account.ts';
import type { Client, ClientId } from '../../src/authorization/model/client.ts';
import type { CodeBinding, NewGrant } from '../../src/authorization/model/grant.ts';
import { openTokens, type Tokens } from '../../src/authorization/open-tokens.ts';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import type { Scope } from '../../src/authorization/protocol/scope.ts';
import { tokenPaths } from '../../src/authorization/requests/token-endpoints.ts';
import { hashSecret } from '../../src/kernel/crypto/hash.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { createEdge, type Edge } from '../../src/kernel/edge/create-edge.ts';
import type { EdgeEnv } from '../../src/kernel/edge/mount.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import type { OutboundHttp } from '../../src/kernel/outbound/outbound-http.ts';
import { createLogger } from '../../src/kernel/telemetry/logger.ts';
import type { Clock } from '../../src/kernel/wait/clock.ts';
import { createFakeClock } from './fake-clock.ts';
import { productMigrations } from './product-migrations.ts';
import { testScopes } from './test-scopes.ts';

export const issuer = 'http://localhost:8787';
export const redirectUri = 'http://localhost:7777/callback';
export const secret = 'the-secret-of-a-confidential-client';

const everything: readonly Scope[] = ['swap.read', 'subscriptions.read', 'subscriptions.write'];

/** A public client; `overrides` changes what matters to a test. */
export function testClient(clientId: string, overrides: Partial<Client> = {}): Client {
  return {
    origin: 'registered',
    name: undefined,
    uri: undefined,
    redirectUris: [redirectUri],
    grantTypes: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    authentication: 'none',
    secretHash: undefined,
    jwks: undefined,
    jwksUri: undefined,
    scope: everything,
    defaultScope: everything,
    applicationType: 'native',
    requiresDpop: false,
    createdAt: 0,
    ...overrides,
    clientId: clientId as ClientId,
  };
}

/** A client that authenticates by {@link secret} and may act for itself. */
export function confidentialClient(clientId: string, overrides: Partial<Client> = {}): Client {
  return testClient(clientId, {
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    authentication: 'client_secret_basic',
    secretHash: hashSecret(secret),
    ...overrides,
  });
}

export type TokenAnswer = {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
};

export type Answer = { readonly status: number; readonly body: Record<string, unknown> };

export type TokenWorld = {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly logged: readonly string[];
  /** Posts a form and reads the answer. */
  post(
    path: string,
    form: Record<string, string> | string,
    headers?: Record<string, string>,
  ): Promise<Answer & { readonly headers: Headers }>;
  readonly edge: Edge;
  fetch(request: Request): Promise<Response>;
  /** A person allows `app` something. Returns the form that redeems the code. */
  allow(grant?: Partial<NewGrant>, binding?: Partial<CodeBinding>): Promise<Record<string, string>>;
  /** Redeems a code of {@link allow}, which must succeed. */
  signIn(grant?: Partial<NewGrant>, headers?: Record<string, string>): Promise<TokenAnswer>;
  refresh(refreshToken: string, more?: Record<string, string>): Promise<Answer>;
  /** A token by which `machine` acts for itself. */
  actForItself(more?: Record<string, string>): Promise<TokenAnswer>;
  /** The status of a request to a protected path. */
  enter(token: string, path?: string): Promise<number>;
};

export const asMachine = {
  authorization: `Basic ${Buffer.from(`machine:${secret}`).toString('base64')}`,
};

/**
 * Everything that deals with tokens over a database, called as through HTTP. There are two public
 * clients, `app` and `other`, and three confidential ones: `machine`, `stranger`, and `operated`,
 * which the operator made.
 */
export async function openTokenWorld(options: {
  /** By default an embedded database of its own. */
  readonly database?: Database;
  readonly clock?: Clock;
  readonly clients?: readonly Client[];
  readonly accessTokenLifetime?: number;
  readonly isSessionAlive?: (sessionId: string) => Promise<boolean>;
  readonly outbound?: OutboundHttp;
  readonly protectedPaths?: readonly string[];
  /** Called with each line of the log. */
  readonly onLogged?: (line: string) => void;
}): Promise<TokenWorld> {
  const { clock = createFakeClock(), accessTokenLifetime = 600_000 } = options;
  const database = options.database ?? (await openEmbedded());
  const known = [
    testClient('app'),
    testClient('other'),
    confidentialClient('machine'),
    confidentialClient('stranger'),
    confidentialClient('operated', { origin: 'operator' }),
    ...(options.clients ?? []),
  ];
  const clients = new Map(known.map((client) => [String(client.clientId), client]));
  await migrate(database, productMigrations);
  const tokens = await openTokens({
    publicUrl: new URL(issuer),
    scopes: testScopes,
    protectedPaths: options.protectedPaths ?? ['/mcp', '/v1/subscriptions'],
    foreignResources: () => ['https://context.example/mcp'],
    accessTokenLifetime,
    refreshTokenLifetime: 30 * 24 * 3_600_000,
    database,
    masterKey: new Uint8Array(32).fill(1),
    outbound: options.outbound ?? unreachable,
    findClient: async (clientId) => clients.get(clientId),
    keepClient: async () => {},
    sessionStatus: () => ({
      isAlive: options.isSessionAlive ?? (async () => true),
      watch: () => () => {},
    }),
    clock,
    random: systemRandom,
  });

  const logged: string[] = [];
  const logger = createLogger({
    level: 'debug',
    format: 'json',
    write(line) {
      logged.push(line);
      options.onLogged?.(line);
    },
  });
  const app = new Hono<EdgeEnv>();
  app.all('/mcp', async (c) => {
    const judged = await tokens.guard.protect(c.req.raw, { scope: ['swap.read'] });
    return judged instanceof Response ? judged : c.json(judged);
  });
  const edge = createEdge({
    publicUrl: new URL(issuer),
    trustedProxies: [],
    mounts: [
      {
        app,
        endpoints: tokens.endpoints,
        paths: { ...tokenPaths, '/mcp': {} },
        writeRefusal: writeAuthorizationRefusal,
      },
    ],
    logger,
    clock,
    random: systemRandom,
  });
  const fetch = async (request: Request) => edge.fetch(request);

  const world: TokenWorld = {
    database,
    tokens,
    logged,
    edge,
    fetch,
    async post(path, form, headers = {}) {
      const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const response = await fetch(
        new Request(issuer + path, { method: 'POST', body, headers: { ...type, ...headers } }),
      );
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? {} : JSON.parse(text),
      };
    },
    async allow(grant = {}, binding = {}) {
      const { codeVerifier, codeChallenge } = createPkce(systemRandom);
      const wanted = {
        accountId: 'ann' as AccountId,
        clientId: 'app' as ClientId,
        scope: ['swap.read', 'subscriptions.read'] as const,
        resources: [],
        identityProviderSessionId: undefined,
        ...grant,
      };
      const bound = { redirectUri, codeChallenge, dpopThumbprint: undefined, ...binding };
      const code = await tokens.grants.transaction((tx, revoke) =>
        tokens.grants.issueCode({ tx, revoke }, wanted, bound),
      );
      return {
        grant_type: 'authorization_code',
        client_id: wanted.clientId,
        code,
        code_verifier: codeVerifier,
        redirect_uri: redirectUri,
      };
    },
    async signIn(grant, headers) {
      return answered(await world.post('/token', await world.allow(grant), headers));
    },
    refresh: (refreshToken, more = {}) =>
      world.post('/token', {
        grant_type: 'refresh_token',
        client_id: 'app',
        refresh_token: refreshToken,
        ...more,
      }),
    async actForItself(more = {}) {
      const form = { grant_type: 'client_credentials', ...more };
      return answered(await world.post('/token', form, asMachine));
    },
    async enter(token, path = '/mcp') {
      const headers = { authorization: `Bearer ${token}` };
      const judged = await tokens.guard.protect(new Request(issuer + path, { headers }));
      return judged instanceof Response ? judged.status : 200;
    },
  };
  return world;
}

/** Imports Vitest only here: child processes of tests, which bring their own database, are no tests. */
async function openEmbedded(): Promise<Database> {
  const { onTestFinished } = await import('vitest');
  const { createDataDir } = await import('./create-data-dir.ts');
  const database = await openDatabase({ dataDir: createDataDir() });
  onTestFinished(() => database.close());
  return database;
}

/** The tokens of a successful answer. Throws on any other. */
export function answered({ status, body }: Answer): TokenAnswer {
  if (status !== 200) throw new Error(`No tokens: ${status} ${JSON.stringify(body)}`);
  return body as unknown as TokenAnswer;
}

const unreachable: OutboundHttp = {
  request: () => Promise.reject(new Error('This test reaches nothing outside.')),
  close: async () => {},
};
