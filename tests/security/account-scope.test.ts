import { describe, expect, test } from 'vitest';
import { grantOperations } from '../../src/authorization/management/grant-operations.ts';
import { grantToken, manageWith } from '../support/grant-token.ts';
import { openTestAuthorization, withOwner } from '../support/open-test-authorization.ts';
import {
  askForAccess,
  createTestBrowser,
  openInteraction,
  signIn,
} from '../support/test-browser.ts';

async function open() {
  const service = await openTestAuthorization({ environment: withOwner });
  const as = async (scope: string) => {
    const granted = await grantToken(service, { scope });
    return { ...granted, call: manageWith(service, granted.access_token) };
  };
  return { service, as };
}

describe('the scope account.manage', () => {
  test('is needed, or admin, for every operation of management beyond what concerns the client itself [F27, N20]', async () => {
    const { service, as } = await open();
    const weak = await as('swap.read subscriptions.read subscriptions.write events.publish');
    const operations = service.authorization.management.service?.operations ?? [];
    expect(operations.length).toBeGreaterThan(12);
    const ofClient = [grantOperations.list, grantOperations.delete].map(({ id }) => id);
    for (const { id, method, path, scopes } of operations) {
      if (ofClient.includes(id)) continue;
      const { status, body, headers } = await weak.call(method, path.replace('{id}', 'any'));
      expect([status, body.error.details[0].reason], id).toEqual([
        403,
        'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
      ]);
      expect(headers.get('www-authenticate'), id).toContain(`scope="${scopes[0]}"`);
    }
  });

  test('lets a client read and end sessions and revoke what others were allowed, as admin does [F27, N20]', async () => {
    const { as } = await open();
    const weak = await as('swap.read');
    const strong = await as('account.manage');
    expect((await weak.call('GET', '/v1/sessions')).status).toBe(403);
    const [session] = (await strong.call('GET', '/v1/sessions')).body.sessions;
    expect((await weak.call('DELETE', `/v1/sessions/${session.id}`)).status).toBe(403);

    const all = (await strong.call('GET', '/v1/grants')).body.grants;
    expect(all).toHaveLength(2);
    const own = (await weak.call('GET', '/v1/grants')).body.grants;
    expect(own.map(({ clientId }: { clientId: string }) => clientId)).toEqual([weak.clientId]);
    const other = all.find(({ clientId }: { clientId: string }) => clientId === strong.clientId);
    const refused = await weak.call('DELETE', `/v1/grants/${other.id}`);
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringContaining('account.manage'),
    ]);
    expect((await strong.call('DELETE', `/v1/grants/${own[0].id}`)).status).toBe(200);
    expect((await weak.call('GET', '/v1/grants')).status).toBe(401);
    expect((await strong.call('DELETE', `/v1/sessions/${session.id}`)).status).toBe(200);
    const admin = await as('admin');
    expect((await admin.call('GET', '/v1/sessions')).status).toBe(200);
  });

  test('is named in words where a person consents, and asked for by the console [F27, N20]', async () => {
    const { service } = await open();
    const browser = createTestBrowser(service);
    const asked = await askForAccess(service, { scope: 'swap.read account.manage' });
    const consent = await signIn(browser, await openInteraction(browser, asked.path));
    expect(consent.text).toContain('See and end your sessions, and see and revoke');
    const plain = await askForAccess(service, { scope: 'swap.read' });
    const without = await openInteraction(browser, plain.path);
    expect(without.text).not.toContain('your sessions');
    const document = await service.request('/.well-known/oauth-authorization-server');
    expect(await document.text()).toContain('"account.manage"');
  });
});
