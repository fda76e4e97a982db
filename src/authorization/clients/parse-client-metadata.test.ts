import { describe, expect, it } from 'vitest';
import { testScopes } from '../../../tests/support/test-scopes.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { parseClientMetadata } from './parse-client-metadata.ts';

const redirect_uris = ['https://app.example.com/callback'];

const parse = (input: unknown) => parseClientMetadata(input, { scopes: testScopes });

function refusal(input: unknown) {
  try {
    return parse(input);
  } catch (error) {
    if (error instanceof AuthorizationError) return error.code;
    throw error;
  }
}

describe('the metadata of a client', () => {
  it('may be redirect URIs alone', () => {
    expect(parse({ redirect_uris })).toMatchObject({
      redirectUris: redirect_uris,
      grantTypes: ['authorization_code', 'refresh_token'],
      authentication: 'client_secret_basic',
      scope: undefined,
      applicationType: 'web',
      requiresDpop: false,
    });
  });

  it('may hold members, grant types and scopes that are not known here, which are left out', () => {
    const metadata = parse({
      redirect_uris,
      logo_uri: 'http://169.254.169.254/',
      contacts: ['a@example.com'],
      software_id: 'x',
      grant_types: ['implicit', 'password', 'authorization_code'],
      scope: 'openid swap.read offline_access',
    });
    expect(metadata).toMatchObject({ grantTypes: ['authorization_code'], scope: ['swap.read'] });
    expect(JSON.stringify(metadata)).not.toContain('169.254');
  });

  it('may hold nulls and empty texts, which count as absent', () => {
    const metadata = parse({
      redirect_uris,
      client_uri: '',
      scope: null,
      jwks: null,
    });
    expect(metadata).toMatchObject({ uri: undefined, scope: undefined, jwks: undefined });
  });

  it('needs no redirect URI where no browser takes part', () => {
    const grantTypes = ['urn:ietf:params:oauth:grant-type:device_code'];
    expect(parse({ grant_types: grantTypes })).toMatchObject({ grantTypes });
  });

  it.each([
    ['none at all', {}],
    ['one that is not HTTPS', { redirect_uris: ['http://app.example.com/callback'] }],
    ['one bad among good', { redirect_uris: [...redirect_uris, 'javascript:alert(1)'] }],
  ])('is refused with redirect URIs of which there is %s [R3, S9]', (_what, input) =>
    expect(refusal(input)).toBe('invalid_redirect_uri'),
  );

  it.each([
    ['no object', 'text'],
    ['a list', []],
    ['redirect URIs that are no list', { redirect_uris: 'https://app.example.com/' }],
    [
      'an unknown way to authenticate',
      { redirect_uris, token_endpoint_auth_method: 'tls_client_auth' },
    ],
    ['no grant type of this server', { redirect_uris, grant_types: ['implicit'] }],
    ['nothing but refreshing', { redirect_uris, grant_types: ['refresh_token'] }],
    ['only the response type token', { redirect_uris, response_types: ['token'] }],
    ['a script for an address', { redirect_uris, client_uri: 'javascript:alert(1)' }],
    ['keys at an http address', { redirect_uris, jwks_uri: 'http://app.example.com/keys' }],
    ['keys at a file', { redirect_uris, jwks_uri: 'file:///etc/passwd' }],
    ['a private key', { redirect_uris, jwks: { keys: [{ kty: 'OKP', x: 'x', d: 'secret' }] } }],
    ['a symmetric key', { redirect_uris, jwks: { keys: [{ kty: 'oct', k: 'secret' }] } }],
    [
      'keys twice',
      { redirect_uris, jwks: { keys: [{ kty: 'EC' }] }, jwks_uri: 'https://a.example/' },
    ],
    [
      'no keys for its assertions',
      { redirect_uris, token_endpoint_auth_method: 'private_key_jwt' },
    ],
    ['an unknown application type', { redirect_uris, application_type: 'toaster' }],
    ['an endless name', { redirect_uris, client_name: 'x'.repeat(201) }],
    [
      'no credentials to act for itself',
      { grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' },
    ],
  ])('is refused with %s [R3]', (_what, input) =>
    expect(refusal(input)).toBe('invalid_client_metadata'),
  );
});
