import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  InvalidGrantError,
  InvalidTokenError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import type {
  AuthorizationParams,
  OAuthServerProvider,
} from '@modelcontextprotocol/sdk/server/auth/provider.js';
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { OAuthClientInformationFull } from '@modelcontextprotocol/sdk/shared/auth.js';
import express from 'express';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/** A stranger: the server of the older official SDK, with the SDK's own authorization server in front. */
export type SdkServer = {
  readonly url: string;
  readonly origin: string;
  readonly clients: Map<string, OAuthClientInformationFull>;
  /** Live access tokens, with the expiry of each in seconds. */
  readonly accessTokens: Map<string, { clientId: string; scopes: string[]; expiresAt: number }>;
  readonly refreshTokens: Map<string, { clientId: string; scopes: string[] }>;
  /** How often a refresh token was presented. */
  refreshes(): number;
};

const random = () => randomBytes(32).toString('base64url');

/**
 * Starts a server on a free port; every person allows at once. Refresh tokens work once. It accepts access tokens for
 * ten minutes, even if the lifetime that it states is shorter. It ends with the test.
 */
export async function startSdkServer(
  options: { lifetimeSeconds?: number } = {},
): Promise<SdkServer> {
  const { lifetimeSeconds = 600 } = options;
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `${origin}/mcp`;
  const clients: SdkServer['clients'] = new Map();
  const accessTokens: SdkServer['accessTokens'] = new Map();
  const refreshTokens: SdkServer['refreshTokens'] = new Map();
  const codes = new Map<string, AuthorizationParams>();
  let refreshes = 0;

  function issue(clientId: string, scopes: string[]) {
    const [access, refresh] = [random(), random()];
    const expiresAt = Math.floor(Date.now() / 1_000) + 600;
    accessTokens.set(access, { clientId, scopes, expiresAt });
    refreshTokens.set(refresh, { clientId, scopes });
    return {
      access_token: access,
      token_type: 'bearer',
      expires_in: lifetimeSeconds,
      refresh_token: refresh,
      scope: scopes.join(' '),
    };
  }

  const provider: OAuthServerProvider = {
    clientsStore: {
      getClient: (id) => clients.get(id),
      registerClient(client) {
        // The router has given the client an id by now, which its type does not say.
        const full = client as OAuthClientInformationFull;
        clients.set(full.client_id, full);
        return full;
      },
    },
    async authorize(_client, parameters, response) {
      const code = random();
      codes.set(code, parameters);
      const target = new URL(parameters.redirectUri);
      target.searchParams.set('code', code);
      if (parameters.state) target.searchParams.set('state', parameters.state);
      response.redirect(target.href);
    },
    challengeForAuthorizationCode: async (_client, code) => codes.get(code)?.codeChallenge ?? '',
    async exchangeAuthorizationCode(client, code) {
      const parameters = codes.get(code);
      if (!codes.delete(code)) throw new InvalidGrantError('unknown code');
      return issue(client.client_id, parameters?.scopes ?? []);
    },
    async exchangeRefreshToken(client, token) {
      refreshes++;
      const held = refreshTokens.get(token);
      if (!refreshTokens.delete(token) || held?.clientId !== client.client_id) {
        throw new InvalidGrantError('unknown refresh token');
      }
      return issue(client.client_id, held.scopes);
    },
    async verifyAccessToken(token) {
      const held = accessTokens.get(token);
      if (held === undefined) throw new InvalidTokenError('unknown token');
      return { token, ...held };
    },
    async revokeToken(_client, { token }) {
      accessTokens.delete(token);
      refreshTokens.delete(token);
    },
  };

  const unlimited = { rateLimit: false as const };
  app.use(
    mcpAuthRouter({
      provider,
      issuerUrl: new URL(origin),
      resourceServerUrl: new URL(url),
      scopesSupported: ['sums'],
      tokenOptions: unlimited,
      authorizationOptions: unlimited,
      clientRegistrationOptions: unlimited,
      revocationOptions: unlimited,
    }),
  );
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(new URL(url));
  const guard = requireBearerAuth({ verifier: provider, resourceMetadataUrl });
  app.post('/mcp', guard, express.json(), async (request, response) => {
    const context = new McpServer({ name: 'sums', version: '1' });
    context.registerTool(
      'add',
      { description: 'Adds two numbers.', inputSchema: { a: z.number(), b: z.number() } },
      ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
    );
    const transport = new StreamableHTTPServerTransport({});
    response.on('close', () => void transport.close());
    // The SDK's own types disagree on optional members.
    await context.connect(transport as Parameters<typeof context.connect>[0]);
    await transport.handleRequest(request, response, request.body);
  });
  app.all('/mcp', guard, (_request, response) => void response.status(405).end());

  return { url, origin, clients, accessTokens, refreshTokens, refreshes: () => refreshes };
}
