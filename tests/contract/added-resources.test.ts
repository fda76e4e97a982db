import { expect, test } from 'vitest';
import { grantToken, manageWith } from '../support/grant-token.ts';
import {
  openTestAuthorization,
  type TestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';
import { startWorker } from '../support/start-worker.ts';
import { migratedEngines } from '../support/test-engines.ts';

const crm = {
  resource: 'https://crm.example.com/mcp',
  scopes: [{ name: 'crm.read', description: 'Read the CRM' }],
};

async function scopesOf(service: TestAuthorization): Promise<unknown> {
  const response = await service.request('/.well-known/oauth-authorization-server');
  return ((await response.json()) as { scopes_supported: string[] }).scopes_supported;
}

async function register(service: TestAuthorization) {
  const { client_id, client_secret } = await service.register({
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'client_secret_post',
    scope: 'crm.read',
  });
  return { grant_type: 'client_credentials', client_id, client_secret };
}

test.each(migratedEngines)(
  'other processes, also ones that start later, learn of resources that one adds and removes, on $engine [T4]',
  async ({ engine, createStore }) => {
    const store = await createStore();
    const start = async () =>
      openTestAuthorization({ database: await store.open(), environment: withOwner });
    const one = await start();
    const { access_token } = await grantToken(one, { scope: 'admin' });
    const manage = manageWith(one, access_token);
    const other = engine === 'postgres' ? await start() : one;
    for (const worker of other.authorization.workers) {
      if (worker.name === 'resources') startWorker(worker);
    }
    const { body } = await manage('POST', '/v1/resources', crm);
    await expect.poll(() => scopesOf(other)).toContain('crm.read');
    const client = await register(other);
    expect((await other.post('/token', client)).body.scope).toBe('crm.read');
    const later = engine === 'postgres' ? await start() : one;
    expect((await later.post('/token', client)).body.scope).toBe('crm.read');
    await manage('DELETE', `/v1/resources/${body.id}`);
    await expect.poll(() => scopesOf(other)).not.toContain('crm.read');
  },
);
