import { expect, test } from 'vitest';
import { grantToken, manageWith } from '../support/grant-token.ts';
import { issuer, openTestAuthorization, withOwner } from '../support/open-test-authorization.ts';
import { createTestBrowser } from '../support/test-browser.ts';
import { migratedEngines } from '../support/test-engines.ts';

const password = 'a password that was chosen';

test.each(migratedEngines)(
  'people, sessions, grants and keys are managed alike on $engine, and of two owners one stays [T3]',
  async ({ createStore }) => {
    const database = await (await createStore()).open();
    const service = await openTestAuthorization({ database, environment: withOwner });
    const { access_token } = await grantToken(service, { scope: 'admin' });
    const manage = manageWith(service, access_token);
    const { body } = await manage('POST', '/v1/people', { username: 'mia', role: 'owner' });
    const browser = createTestBrowser(service);
    const page = await browser.open(body.inviteUrl.slice(issuer.length));
    await browser.submit(page, 'invite', { password, repeated: password });
    const mia = await grantToken(service, { scope: 'admin', username: 'mia', password, browser });
    const asMia = manageWith(service, mia.access_token);

    const { sessions } = (await asMia('GET', `/v1/sessions?person=${body.id}`)).body;
    expect(sessions).toHaveLength(1);
    expect((await asMia('GET', `/v1/grants?person=${body.id}`)).body.grants).toHaveLength(1);
    const { keys } = (await asMia('GET', '/v1/keys')).body;
    const rotated = (await asMia('POST', '/v1/keys:rotate')).body;
    expect(keys.map(({ id }: { id: string }) => id)).not.toContain(rotated.id);
    expect((await asMia('GET', '/v1/keys')).body.keys).toHaveLength(2);

    const removed = await Promise.all([
      manage('DELETE', `/v1/people/${body.id}`),
      asMia('DELETE', '/v1/people/owner'),
    ]);
    // The second request would remove the last owner, or comes from a person who is already removed.
    const statuses = removed.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const left = statuses[0] === 200 ? manage : asMia;
    const { people } = (await left('GET', '/v1/people')).body;
    expect(people.map(({ role }: { role: string }) => role)).toEqual(['owner']);
    const own = (await left('GET', '/v1/sessions')).body.sessions;
    const ended = await left('DELETE', `/v1/sessions/${own[0].id}`);
    expect(ended.body).toEqual({ ended: { sessions: 1, grants: 1 } });
    expect((await left('GET', '/v1/sessions')).status).toBe(401);
  },
);
