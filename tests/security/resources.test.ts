import { describe, expect, test } from 'vitest';
import { createGuard } from '../../src/authorization/guard/guard.ts';
import { grantToken, manageWith } from '../support/grant-token.ts';
import {
  issuer,
  openTestAuthorization,
  type TestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';
import {
  askForAccess,
  createTestBrowser,
  openInteraction,
  signIn,
} from '../support/test-browser.ts';

const resource = 'https://crm.example.com/mcp';
const crm = {
  resource,
  name: 'CRM',
  scopes: [
    { name: 'crm.read', description: 'Read the CRM' },
    { name: 'crm.write', description: 'Change the CRM' },
  ],
};

async function open() {
  const service = await openTestAuthorization({ environment: withOwner });
  const admin = await grantToken(service, { scope: 'admin' });
  return { service, manage: manageWith(service, admin.access_token) };
}

async function metadataOf(service: TestAuthorization) {
  const response = await service.request('/.well-known/oauth-authorization-server');
  return (await response.json()) as { scopes_supported: string[]; protected_resources: string[] };
}

/** A guard of the added server, which fetches the keys from the service inside the process. */
function guardOf(service: TestAuthorization) {
  return createGuard({
    issuer,
    resource,
    clock: service.clock,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      return service.request(request.url.slice(issuer.length), {
        method: request.method,
        headers: request.headers,
        ...(request.method === 'POST' ? { body: await request.text() } : {}),
      });
    },
  });
}

const callWith = (token: string) =>
  new Request(resource, { headers: { authorization: `Bearer ${token}` } });

async function registerService(service: TestAuthorization, scope: string, headers = {}) {
  const response = await service.request('/register', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_post',
      scope,
    }),
  });
  const { client_id, client_secret } = (await response.json()) as Record<string, string>;
  return { grant_type: 'client_credentials', client_id, client_secret };
}

describe('a server that an admin added', () => {
  test('is known to metadata, consent, tokens and guard, with scopes of its own [T4]', async () => {
    const { service, manage } = await open();
    const before = await metadataOf(service);
    expect(before.scopes_supported).not.toContain('crm.read');
    const added = await manage('POST', '/v1/resources', crm);
    expect(added.status, JSON.stringify(added.body)).toBe(200);
    expect(added.body).toMatchObject({ ...crm, id: expect.any(String) });
    const metadata = await metadataOf(service);
    expect(metadata.scopes_supported).toEqual([
      ...before.scopes_supported,
      'crm.read',
      'crm.write',
    ]);
    expect(metadata.protected_resources).toContain(resource);
    const own = await service.request('/.well-known/oauth-protected-resource');
    expect(await own.json()).not.toMatchObject({
      scopes_supported: expect.arrayContaining(['crm.read']),
    });

    const asked = await askForAccess(service, { scope: 'crm.read', parameters: { resource } });
    const browser = createTestBrowser(service);
    const consent = await signIn(browser, await openInteraction(browser, asked.path));
    expect(consent.text).toContain('Read the CRM');
    expect(consent.text).toContain('<strong>CRM</strong>');
    expect(consent.text).not.toContain('Change the CRM');

    const { access_token, scope } = await grantToken(service, {
      scope: 'crm.read',
      parameters: { resource },
    });
    expect(scope).toBe('crm.read');
    const guard = guardOf(service);
    const accepted = await guard.check(callWith(access_token), { scope: ['crm.read'] });
    expect(accepted.principal?.scope).toEqual(['crm.read']);
    const refused = await guard.check(callWith(access_token), { scope: ['crm.write'] });
    expect(refused.refusal?.status).toBe(403);
    const { status } = await manageWith(service, access_token)('GET', '/v1/sessions');
    expect(status).toBe(401);
  });

  test('is the audience of its scopes when a client names no resource, and no other is [T4]', async () => {
    const { service, manage } = await open();
    await manage('POST', '/v1/resources', crm);
    const client = await registerService(service, 'crm.read swap.read');
    const guard = guardOf(service);
    const ask = async (more: Record<string, string>) =>
      service.post('/token', { ...client, ...more });
    const alone = await ask({ scope: 'crm.read' });
    expect((await guard.check(callWith(String(alone.body.access_token)))).principal).toBeDefined();
    const other = await ask({ scope: 'swap.read' });
    expect((await guard.check(callWith(String(other.body.access_token)))).refusal?.status).toBe(
      401,
    );
    // A scope of one resource means nothing at another: it is left out, and the request is refused if none is left.
    const both = await ask({ scope: 'crm.read swap.read', resource: issuer });
    expect(both.body.scope).toBe('swap.read');
    const nothing = await ask({ scope: 'crm.read', resource: issuer });
    expect(nothing.body).toMatchObject({ error: 'invalid_scope' });
    const unknown = await ask({ scope: 'crm.read', resource: 'https://other.example' });
    expect(unknown.body).toMatchObject({ error: 'invalid_target' });
  });

  test('ends with its grants and tokens, and the removal reports how many grants ended [T4]', async () => {
    const { service, manage } = await open();
    const { body } = await manage('POST', '/v1/resources', crm);
    const { access_token, refresh_token, clientId } = await grantToken(service, {
      scope: 'crm.read',
      parameters: { resource },
    });
    const plain = await grantToken(service);
    const client = await registerService(service, 'crm.read swap.read');
    const token = String(
      (await service.post('/token', { ...client, scope: 'crm.read' })).body.access_token,
    );
    expect((await manage('GET', `/v1/resources/${body.id}`)).body.grants).toBe(1);
    const removed = await manage('DELETE', `/v1/resources/${body.id}`);
    expect(removed.body).toEqual({ ended: { sessions: 0, grants: 1 } });
    expect((await manage('DELETE', `/v1/resources/${body.id}`)).status).toBe(404);

    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token };
    expect((await service.post('/token', refresh)).body.error).toBe('invalid_grant');
    expect((await manageWith(service, plain.access_token)('GET', '/v1/grants')).status).toBe(200);
    expect((await metadataOf(service)).scopes_supported).not.toContain('crm.read');
    const { client_id, client_secret } = client;
    for (const each of [access_token, token]) {
      const { body: told } = await service.post('/introspect', {
        client_id,
        client_secret,
        token: each,
      });
      expect(told).toEqual({ active: false });
    }
    const left = await service.post('/token', client);
    expect(left.body.scope).toBe('swap.read');
  });

  test('cannot have a scope or address that is taken, or one of this server [T4]', async () => {
    const { manage } = await open();
    await manage('POST', '/v1/resources', crm);
    for (const [body, status, reason] of [
      [{ ...crm, scopes: [{ name: 'a.b', description: 'x' }] }, 409, 'RESOURCE_TAKEN'],
      [{ ...crm, resource: 'https://two.example' }, 409, 'SCOPE_TAKEN'],
      [
        { resource: 'https://x.example', scopes: [{ name: 'admin', description: 'x' }] },
        409,
        'SCOPE_TAKEN',
      ],
      [
        { resource: `${issuer}/mcp`, scopes: [{ name: 'q.r', description: 'x' }] },
        400,
        'INVALID_FIELDS',
      ],
      [
        { resource: 'http://127.0.0.1:8787/', scopes: [{ name: 'q.r', description: 'x' }] },
        400,
        'INVALID_FIELDS',
      ],
      [
        { resource: 'file:///etc', scopes: [{ name: 'q.r', description: 'x' }] },
        400,
        'INVALID_FIELDS',
      ],
      [{ resource: 'https://x.example', scopes: [] }, 400, 'INVALID_FIELDS'],
      [
        { resource: 'https://x.example', scopes: [{ name: 'a b', description: 'x' }] },
        400,
        'INVALID_FIELDS',
      ],
      [
        { resource: 'https://x.example', scopes: [{ name: 'openid', description: 'x' }] },
        400,
        'INVALID_FIELDS',
      ],
      [
        { resource: 'https://x.example', scopes: [{ name: 'a.b', description: '\u202eevil' }] },
        400,
        'INVALID_FIELDS',
      ],
    ] as const) {
      const refused = await manage('POST', '/v1/resources', body);
      expect(refused.status, JSON.stringify(body)).toBe(status);
      expect(refused.body.error.details[0].reason).toBe(reason);
    }
  });

  test('can keep a scope for admins, who give it to clients by name [T4]', async () => {
    const { service, manage } = await open();
    await manage('POST', '/v1/resources', {
      resource,
      scopes: [{ name: 'crm.purge', description: 'Empty the CRM', holders: 'admins' }],
    });
    const itself = await registerService(service, 'crm.purge swap.read');
    const refused = await service.post('/token', { ...itself, scope: 'crm.purge' });
    expect(refused.body.error).toBe('invalid_scope');
  });
});
