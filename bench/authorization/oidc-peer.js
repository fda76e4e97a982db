import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

/**
 * oidc-provider in memory. Plain maps store everything. Every feature that our server has is switched on if
 * oidc-provider has it. Access tokens are signed like ours (RFC 9068, ES256). Sign-in and consent succeed at once.
 * With the argument `opaque` it stores access tokens instead, because it cannot introspect signed ones.
 * Not in TypeScript, because the library has no types.
 */
const stored = new Map();
const scope = 'swap.read';

class MapAdapter {
  constructor(model) {
    this.rows = stored.get(model) ?? new Map();
    stored.set(model, this.rows);
  }
  async upsert(id, payload) {
    this.rows.set(id, payload);
  }
  async find(id) {
    return this.rows.get(id);
  }
  async findByUid(uid) {
    return [...this.rows.values()].find((row) => row.uid === uid);
  }
  async findByUserCode() {}
  async destroy(id) {
    this.rows.delete(id);
  }
  async consume(id) {
    const row = this.rows.get(id);
    if (row) row.consumed = Math.floor(Date.now() / 1_000);
  }
  async revokeByGrantId(grantId) {
    for (const [id, row] of this.rows) if (row.grantId === grantId) this.rows.delete(id);
  }
}

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = createProvider(issuer);
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url.startsWith('/interaction/')) allow({ provider, issuer, request, response });
    else answer(request, response);
  });
  console.log(JSON.stringify({ url: issuer }));
});
process.once('SIGTERM', () => process.exit(0));

function createProvider(issuer) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'k' };
  const id_token_signed_response_alg = 'ES256';
  return new Provider(issuer, {
    adapter: MapAdapter,
    jwks: { keys: [jwk] },
    clients: [
      {
        client_id: 'machine',
        client_secret: 's'.repeat(32),
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        scope,
        id_token_signed_response_alg,
      },
      {
        client_id: 'app',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['http://127.0.0.1/callback'],
        response_types: ['code'],
        scope: `openid offline_access ${scope}`,
        id_token_signed_response_alg,
      },
    ],
    scopes: ['openid', 'offline_access', scope],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      revocation: { enabled: true },
      registration: { enabled: true },
      registrationManagement: { enabled: true },
      dPoP: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
      deviceFlow: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => `${issuer}/mcp`,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope,
          audience: `${issuer}/mcp`,
          accessTokenTTL: 600,
          accessTokenFormat: process.argv[2] ?? 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    cookies: { keys: ['a-key-of-the-benchmark'] },
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  });
}

async function allow({ provider, issuer, request, response }) {
  const { prompt, session, params } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: 'ann' } });
  }
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  grant.addOIDCScope(`openid offline_access ${scope}`);
  grant.addResourceScope(`${issuer}/mcp`, scope);
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, response, { consent });
}
