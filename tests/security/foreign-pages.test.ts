import { describe, expect, test } from 'vitest';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import {
  issuer,
  openTestAuthorization,
  type TestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const service = {
  grant_types: ['client_credentials'],
  response_types: [],
  token_endpoint_auth_method: 'client_secret_post',
};
const app = {
  redirect_uris: ['https://app.example/callback'],
  token_endpoint_auth_method: 'none',
};

/** The headers that browsers send from pages of other origins, another port of this machine included. */
const foreign = {
  'another site': { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
  'another port of this machine': { Origin: 'http://localhost:3000' },
  'a sandboxed frame': { Origin: 'null' },
  'a browser that sends no origin': { 'Sec-Fetch-Site': 'cross-site' },
  'a neighbouring site': { 'Sec-Fetch-Site': 'same-site' },
} as const;
const pages = Object.entries(foreign);

async function register(
  { request }: TestAuthorization,
  metadata: object,
  headers: Record<string, string> = {},
) {
  const body = JSON.stringify(metadata);
  const response = await request('/register', { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

const credentialsOf = ({ client_id = '', client_secret = '' }: Record<string, string>) => ({
  client_id,
  client_secret,
});

describe.each(pages)('a page of %s', (_, headers) => {
  test('registers no client that needs no person [F5]', async () => {
    const server = await openTestAuthorization();
    const mixed = { ...app, ...service, grant_types: ['authorization_code', 'client_credentials'] };
    for (const metadata of [service, mixed]) {
      expect(await register(server, metadata, headers)).toMatchObject({
        status: 400,
        body: { error: 'invalid_client_metadata' },
      });
    }
  });

  test('cannot turn its client into one that needs no person [F5]', async () => {
    const server = await openTestAuthorization();
    const { body: client } = await register(server, app, headers);
    const response = await server.request(`/register/${client.client_id}`, {
      method: 'PUT',
      headers: { ...headers, Authorization: `Bearer ${client.registration_access_token}` },
      body: JSON.stringify({ client_id: client.client_id, ...service }),
    });
    expect(response.status).toBe(400);
  });

  test('obtains no token without a person, whoever registered the client [F5]', async () => {
    const server = await openTestAuthorization();
    const { body: client } = await register(server, service);
    const form = { grant_type: 'client_credentials', ...credentialsOf(client) };
    expect(await server.post('/token', form)).toMatchObject({ status: 200 });
    expect(await server.post('/token', form, headers)).toMatchObject({
      status: 400,
      body: { error: 'unauthorized_client' },
    });
  });

  test('cannot use a token that no person agreed to [F5]', async () => {
    const server = await openTestAuthorization();
    const { body: client } = await register(server, service);
    const form = { grant_type: 'client_credentials', ...credentialsOf(client) };
    const { access_token } = (await server.post('/token', form)).body;
    const authorization = { Authorization: `Bearer ${access_token}` };
    const check = (more: object) =>
      server.authorization.guard.check(
        new Request(`${issuer}/v1/events`, { headers: { ...authorization, ...more } }),
      );
    expect(await check({})).toMatchObject({ principal: { isPerson: false } });
    expect(await check(headers)).toMatchObject({ refusal: { status: 401, reason: 'invalid' } });
  });

  test('registers clients that ask a person, by code and by device [F5]', async () => {
    const server = await openTestAuthorization();
    expect(await register(server, app, headers)).toMatchObject({ status: 201 });
    const device = {
      grant_types: [deviceGrant, 'refresh_token'],
      token_endpoint_auth_method: 'none',
    };
    expect(await register(server, device, headers)).toMatchObject({ status: 201 });
  });

  test('redeems the code of a person and uses the token [F5]', async () => {
    const server = await openTestAuthorization({ environment: withOwner });
    const { body: client } = await register(server, app, headers);
    const { codeVerifier, codeChallenge } = createPkce();
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id ?? '',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    });
    const answer = await server.decide(`/authorize?${asked}`);
    const form = {
      grant_type: 'authorization_code',
      code: answer.searchParams.get('code') ?? '',
      code_verifier: codeVerifier,
      client_id: client.client_id,
    };
    const { status, body } = await server.post('/token', form, headers);
    expect(status).toBe(200);
    const authorization = { Authorization: `Bearer ${body.access_token}` };
    const sent = new Request(`${issuer}/v1/events`, { headers: { ...authorization, ...headers } });
    expect(await server.authorization.guard.check(sent)).toMatchObject({
      principal: { isPerson: true },
    });
    const refresh = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
    expect(
      await server.post('/token', { ...refresh, client_id: client.client_id }, headers),
    ).toMatchObject({ status: 200 });
  });
});
