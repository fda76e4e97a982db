import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { onTestFinished } from 'vitest';
import { codeChallengeOf } from '../../src/authorization/protocol/pkce.ts';

type Json = Record<string, unknown>;
export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
};

/** An MCP server and its authorization server at one origin, which tests can change in every detail. */
export type ContextWorld = {
  readonly origin: string;
  readonly serverUrl: string;
  readonly seen: SeenRequest[];
  /** The requests to a path, in their order. */
  to(path: string): SeenRequest[];
  /** Documents by path; any other path is not found. */
  readonly documents: Map<string, Json>;
  /** Handlers that answer before all others. */
  readonly overrides: Map<string, (context: Context) => Response | Promise<Response>>;
  readonly clients: Map<string, Json>;
  /** The access tokens that the server accepts, with their scope. */
  readonly accessTokens: Map<string, string>;
  readonly refreshTokens: Map<string, { clientId: string; scope: string }>;
  /** The scope that `/mcp` requires. */
  neededScope: string;
  lifetimeSeconds: number | undefined;
  /** The status of the page that a person sees if the client is unknown. */
  unknownClientStatus: 200 | 400;
  /** The `iss` parameter of the authorization response. */
  iss: string | undefined;
};

/** Starts one on a free port; it ends with the test. */
export async function startContextWorld(path = '/mcp'): Promise<ContextWorld> {
  const app = new Hono();
  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const seen: SeenRequest[] = [];
  const codes = new Map<string, { challenge: string; clientId: string; scope: string }>();
  let serial = 0;

  const world: ContextWorld = {
    origin,
    serverUrl: `${origin}${path}`,
    seen,
    to: (wanted) => seen.filter((request) => request.path === wanted),
    documents: new Map(),
    overrides: new Map(),
    clients: new Map(),
    accessTokens: new Map(),
    refreshTokens: new Map(),
    neededScope: '',
    lifetimeSeconds: 3_600,
    unknownClientStatus: 400,
    iss: origin,
  };
  world.documents.set('/.well-known/oauth-authorization-server', metadataOf(origin));

  app.use(async (context, next) => {
    const { method, path: asked, url, raw } = context.req;
    const body = await raw.clone().text();
    seen.push({ method, path: asked, url, headers: raw.headers, body });
    const override = world.overrides.get(asked);
    if (override !== undefined) return override(context);
    const document = world.documents.get(asked);
    return document === undefined ? next() : context.json(document);
  });

  app.post('/register', async (context) => {
    const given: Json = await context.req.json();
    const client = { ...given, client_id: `client-${++serial}` };
    world.clients.set(client.client_id, client);
    return context.json(client, 201);
  });

  app.get('/authorize', (context) => {
    const query = context.req.query();
    if (!world.clients.has(query.client_id!)) {
      return context.text('unknown client', world.unknownClientStatus);
    }
    const code = `code-${++serial}`;
    codes.set(code, {
      challenge: query.code_challenge!,
      clientId: query.client_id!,
      scope: query.scope ?? '',
    });
    const target = new URL(query.redirect_uri!);
    target.searchParams.set('code', code);
    target.searchParams.set('state', query.state!);
    if (world.iss !== undefined) target.searchParams.set('iss', world.iss);
    return context.redirect(target.href, 303);
  });

  function issue(clientId: string, scope: string): Json {
    const [access, refresh] = [`access-${++serial}`, `refresh-${serial}`];
    world.accessTokens.set(access, scope);
    world.refreshTokens.set(refresh, { clientId, scope });
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: world.lifetimeSeconds,
      refresh_token: refresh,
      scope,
    };
  }

  app.post('/token', async (context) => {
    const form = new URLSearchParams(await context.req.text());
    const refuse = (error: string, status: 400 | 401 = 400) => context.json({ error }, status);
    const clientId = form.get('client_id') ?? basicId(context.req.header('authorization'));
    if (!world.clients.has(clientId)) return refuse('invalid_client', 401);
    const grant = form.get('grant_type');
    if (grant === 'client_credentials') {
      if (!world.clients.get(clientId)?.isService) return refuse('unauthorized_client');
      const { refresh_token: _none, ...tokens } = issue(clientId, form.get('scope') ?? '');
      return context.json(tokens);
    }
    if (grant === 'refresh_token') {
      const held = world.refreshTokens.get(form.get('refresh_token')!);
      world.refreshTokens.delete(form.get('refresh_token')!);
      return held?.clientId === clientId
        ? context.json(issue(clientId, held.scope))
        : refuse('invalid_grant');
    }
    const code = codes.get(form.get('code')!);
    codes.delete(form.get('code')!);
    const isProved = code?.challenge === codeChallengeOf(form.get('code_verifier') ?? '');
    return code?.clientId === clientId && isProved
      ? context.json(issue(clientId, code.scope))
      : refuse('invalid_grant');
  });

  app.all(path, (context) => {
    const token = /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '')?.[1];
    const scope = token === undefined ? undefined : world.accessTokens.get(token);
    const metadata = world.documents.has('/.well-known/oauth-protected-resource')
      ? `, resource_metadata="${origin}/.well-known/oauth-protected-resource"`
      : '';
    const challenge = `Bearer realm="world", scope="${world.neededScope}"${metadata}`;
    if (scope === undefined) {
      const error = token === undefined ? '' : ', error="invalid_token"';
      return context.text('', 401, { 'www-authenticate': challenge + error });
    }
    const held = scope.split(' ');
    const isEnough = world.neededScope.split(' ').every((word) => !word || held.includes(word));
    if (isEnough) return context.json({ ok: true, scope });
    return context.text('', 403, {
      'www-authenticate': `${challenge}, error="insufficient_scope"`,
    });
  });

  return world;
}

/** Honest metadata of a server at an origin. */
export function metadataOf(issuer: string, origin = issuer): Json {
  return {
    issuer,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    authorization_response_iss_parameter_supported: true,
  };
}

function basicId(header = ''): string {
  return (
    Buffer.from(header.replace(/^Basic /, ''), 'base64')
      .toString()
      .split(':')[0] ?? ''
  );
}
