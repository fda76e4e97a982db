import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { testScopes } from '../../tests/support/test-scopes.ts';
import { createEdge } from '../kernel/edge/create-edge.ts';
import type { EdgeEnv } from '../kernel/edge/mount.ts';
import { systemRandom } from '../kernel/model/random.ts';
import { systemClock } from '../kernel/wait/clock.ts';
import {
  createMetadataEndpoints,
  type MetadataOptions,
  metadataPaths,
} from './metadata-endpoints.ts';

const issuer = 'https://tradewind.example.com:8443';

async function read(
  path: string,
  headers: Record<string, string> = {},
  options: Partial<MetadataOptions> = {},
) {
  const endpoints = createMetadataEndpoints({
    issuer,
    canRegister: true,
    isServed: true,
    scopes: testScopes,
    resources: [{ path: '/mcp', name: 'Tools', scope: ['swap.read'] }],
    ...options,
  });
  const edge = createEdge({
    publicUrl: new URL(issuer),
    trustedProxies: [],
    mounts: [{ app: new Hono<EdgeEnv>(), endpoints, paths: metadataPaths }],
    logger: { debug: () => {}, info: () => {}, error: () => {} },
    clock: systemClock,
    random: systemRandom,
  });
  const response = await edge.request(`${issuer}${path}`, { headers });
  const body = response.status === 200 ? await response.json() : {};
  return { status: response.status, headers: response.headers, body };
}

describe('the metadata of the authorization server', () => {
  it('is served at the root, with the origin including its port as issuer [S5]', async () => {
    const { status, headers, body } = await read('/.well-known/oauth-authorization-server');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  it.each([
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/oauth-authorization-server/v1/mcp',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp',
  ])('is served at %s too, with the same issuer [S5, L3]', async (path) => {
    expect(await read(path)).toMatchObject({ status: 200, body: { issuer } });
  });

  it('at the OpenID address has the fields that OpenID requires [L3]', async () => {
    const { body } = await read('/.well-known/openid-configuration');
    expect(body).toMatchObject({
      jwks_uri: `${issuer}/jwks`,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: expect.any(Array),
    });
  });

  it.each(['Ctx-Protocol-Version', 'MCP-Protocol-Version'])(
    'omits fields that the revision in %s does not know [S7]',
    async (header) => {
      const ask = (version: string) =>
        read('/.well-known/oauth-authorization-server', { [header]: version });
      const early = await ask('2025-03-26');
      expect(early.body).not.toHaveProperty('client_id_metadata_document_supported');
      expect(early.headers.get('vary')).toBe('Ctx-Protocol-Version, MCP-Protocol-Version');
      expect((await ask('2025-11-25')).body).toHaveProperty(
        'client_id_metadata_document_supported',
      );
    },
  );

  it.each([undefined, '', 'nonsense', '2999-01-01', '1.0'])(
    'works for the version %j [S7]',
    async (version) => {
      const headers = version === undefined ? {} : { 'Ctx-Protocol-Version': version };
      expect(await read('/.well-known/oauth-authorization-server', headers)).toMatchObject({
        status: 200,
        body: {
          issuer,
          token_endpoint: `${issuer}/token`,
          client_id_metadata_document_supported: true,
        },
      });
    },
  );

  it('names neither registration nor documents where only the operator makes clients [S10]', async () => {
    const path = '/.well-known/oauth-authorization-server';
    const { body } = await read(path, {}, { canRegister: false });
    expect(body).not.toHaveProperty('registration_endpoint');
    expect(body).not.toHaveProperty('client_id_metadata_document_supported');
  });

  it('can be switched off [S6]', async () => {
    const options = { isServed: false };
    for (const path of ['oauth-authorization-server', 'openid-configuration']) {
      expect((await read(`/.well-known/${path}`, {}, options)).status).toBe(404);
    }
  });
});

describe('the metadata of protected resources', () => {
  it('is served at the root for the whole origin [L1]', async () => {
    const { body } = await read('/.well-known/oauth-protected-resource');
    expect(body).toMatchObject({ resource: issuer, authorization_servers: [issuer] });
  });

  it.each(['/mcp', '/mcp/'])('is served at the path-inserted address %s [L1]', async (path) => {
    const { body } = await read(`/.well-known/oauth-protected-resource${path}`);
    expect(body).toMatchObject({
      resource: `${issuer}/mcp`,
      authorization_servers: [issuer],
      scopes_supported: ['swap.read'],
      bearer_methods_supported: ['header'],
    });
  });

  it('does not exist for a path that needs no token [L1]', async () => {
    expect((await read('/.well-known/oauth-protected-resource/other')).status).toBe(404);
  });
});
