import { describe, expect, it } from 'vitest';
import { testScopes } from '../../../tests/support/test-scopes.ts';
import { AuthorizationError } from '../authorization-error.ts';
import type { Client, ClientId } from '../model/client.ts';
import { parseForm } from '../protocol/form.ts';
import { checkRequest } from './check-request.ts';

const redirectUri = 'https://app.example.com/callback';
const client: Client = {
  clientId: 'app' as ClientId,
  origin: 'registered',
  name: 'App',
  uri: undefined,
  redirectUris: [redirectUri],
  grantTypes: ['authorization_code', 'refresh_token'],
  authentication: 'none',
  secretHash: undefined,
  jwks: undefined,
  jwksUri: undefined,
  scope: testScopes.names(),
  defaultScope: ['swap.read', 'subscriptions.read'],
  applicationType: 'web',
  requiresDpop: false,
  createdAt: 0,
};
const origin = 'https://tradewind.example.com';
const good = {
  client_id: 'app',
  redirect_uri: redirectUri,
  response_type: 'code',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  state: 'xyz',
};

function check(change: Record<string, string | undefined> = {}, known: Partial<Client> = {}) {
  const parameters = Object.entries({ ...good, ...change }).filter(
    ([, value]) => value !== undefined,
  );
  const text = new URLSearchParams(parameters as [string, string][]).toString();
  return checkRequest(parseForm(text), {
    findClient: async (clientId) => (clientId === 'app' ? { ...client, ...known } : undefined),
    scopes: testScopes,
    resources: { origin, foreign: () => ['https://context.example.net/mcp'] },
  });
}

async function refusal(change: Record<string, string | undefined>, known: Partial<Client> = {}) {
  const error = await check(change, known).catch((reason: unknown) => reason);
  if (error instanceof AuthorizationError) return { code: error.code, redirect: error.redirect };
  throw new Error('it was not refused');
}

describe('an authorization request', () => {
  it('becomes an interaction that waits for a person', async () => {
    expect(await check()).toEqual({
      clientId: 'app',
      scope: ['swap.read', 'subscriptions.read'],
      resources: [origin],
      answer: {
        redirectUri,
        state: 'xyz',
        codeChallenge: good.code_challenge,
        dpopThumbprint: undefined,
      },
      mustSignIn: false,
      loginHint: undefined,
    });
  });

  it('may omit the redirect URI if the client registered exactly one', async () => {
    expect((await check({ redirect_uri: undefined })).answer.redirectUri).toBe(redirectUri);
    const redirectUris = [redirectUri, 'https://app.example.com/other'];
    expect(await refusal({ redirect_uri: undefined }, { redirectUris })).toEqual({
      code: 'invalid_request',
      redirect: undefined,
    });
  });

  it.each([
    ['without a client', { client_id: undefined }, 'invalid_request'],
    ['of an unknown client', { client_id: 'other' }, 'invalid_client'],
    ['to a stranger', { redirect_uri: 'https://evil.example/' }, 'invalid_request'],
  ])('%s has nowhere to be answered [S2, S9]', async (_what, change, code) => {
    expect(await refusal(change)).toEqual({ code, redirect: undefined });
  });

  it.each([
    ['without a response type', { response_type: undefined }, 'invalid_request'],
    ['for a token', { response_type: 'token' }, 'unsupported_response_type'],
    ['for an ID token too', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['answered in the fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['as a request object', { request: 'eyJ' }, 'request_not_supported'],
    ['for a scope that is none', { scope: 'everything' }, 'invalid_scope'],
    ['for another server', { resource: 'https://other.example/' }, 'invalid_target'],
    ['for a host that begins like ours', { resource: `${origin}.evil.example/` }, 'invalid_target'],
    ['without a person', { prompt: 'none' }, 'interaction_required'],
    ['with a prompt that is none', { prompt: 'sudo' }, 'invalid_request'],
    ['with a prompt against itself', { prompt: 'none login' }, 'invalid_request'],
    ['with an age that is none', { max_age: '-1' }, 'invalid_request'],
    ['bound to a key that is none', { dpop_jkt: 'x' }, 'invalid_request'],
  ])('%s is refused at the redirect URI [S2]', async (_what, change, code) => {
    const redirect = expect.objectContaining({ redirectUri, state: 'xyz' });
    expect(await refusal(change)).toEqual({ code, redirect });
  });

  it.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['a method without a challenge', { code_challenge: undefined }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['no method, which means plain', { code_challenge_method: undefined }],
    ['the method in small letters', { code_challenge_method: 's256' }],
    ['a challenge that is too short', { code_challenge: 'short' }],
    ['a challenge that is too long', { code_challenge: `${good.code_challenge}x` }],
  ])('is refused with %s, from public and confidential clients [S8, A9]', async (_what, change) => {
    for (const authentication of ['none', 'client_secret_basic'] as const) {
      expect((await refusal(change, { authentication })).code).toBe('invalid_request');
    }
  });

  it('is allowed only to clients with the authorization_code grant', async () => {
    const grantTypes = ['client_credentials'] as const;
    expect((await refusal({}, { grantTypes })).code).toBe('unauthorized_client');
  });

  it('asks for known scopes and leaves the others out', async () => {
    const { scope } = await check({ scope: 'openid subscriptions.write swap.read swap.read' });
    expect(scope).toEqual(['subscriptions.write', 'swap.read']);
  });

  it('is refused with a scope that the operator did not give the client', async () => {
    const known: Partial<Client> = { scope: ['swap.read'] };
    expect((await refusal({ scope: 'swap.read events.publish' }, known)).code).toBe(
      'invalid_scope',
    );
  });

  it.each([
    [origin, origin],
    [`${origin}/`, origin],
    [`${origin}/mcp/`, `${origin}/mcp`],
    ['https://context.example.net/mcp', 'https://context.example.net/mcp'],
  ])('may ask for tokens for %s [L2]', async (resource, audience) => {
    expect((await check({ resource })).resources).toEqual([audience]);
  });

  it.each([{ prompt: 'login' }, { prompt: 'consent login' }, { max_age: '0' }, { max_age: '600' }])(
    'with %j makes the person sign in again',
    async (change: Record<string, string>) => {
      expect((await check(change)).mustSignIn).toBe(true);
    },
  );

  it('with prompt=consent does not make the person sign in again', async () => {
    expect((await check({ prompt: 'consent' })).mustSignIn).toBe(false);
  });
});
