import { describe, expect, test } from 'vitest';
import { readOperatorCredential } from '../../src/authorization/index.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { grantToken, manageWith } from '../support/grant-token.ts';
import {
  issuer,
  openTestAuthorization,
  type TestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';
import { createTestBrowser, signIn } from '../support/test-browser.ts';

const password = 'a password that mia chose';

async function open() {
  const service = await openTestAuthorization({ environment: withOwner });
  const admin = await grantToken(service, { scope: 'admin' });
  return { service, admin: admin.access_token, manage: manageWith(service, admin.access_token) };
}

/** Follows an invitation or reset link, and chooses a password there. */
async function choosePassword(service: TestAuthorization, url: string, chosen = password) {
  const browser = createTestBrowser(service);
  const page = await browser.open(url.slice(issuer.length));
  const form = url.includes('/invite') ? 'invite' : 'reset';
  const answer = await browser.submit(page, form, { password: chosen, repeated: chosen });
  return { browser, page, answer };
}

/** Invites a person, who chooses a password. */
async function join(
  { service, manage }: Awaited<ReturnType<typeof open>>,
  username: string,
  role: string,
) {
  const { body, status } = await manage('POST', '/v1/people', { username, role });
  expect(status, JSON.stringify(body)).toBe(200);
  const { browser } = await choosePassword(service, body.inviteUrl);
  const token = async (scope: string) =>
    (await grantToken(service, { scope, username, password })).access_token;
  return { id: String(body.id), browser, token };
}

describe('people', () => {
  test('are invited by a link at which they choose their password, once [T3]', async () => {
    const { service, manage } = await open();
    const invited = await manage('POST', '/v1/people', { username: 'Mia', role: 'member' });
    expect(invited.status).toBe(200);
    expect(invited.body).toMatchObject({ username: 'mia', role: 'member', state: 'invited' });
    const url = String(invited.body.inviteUrl);
    expect(url).toMatch(/^http:\/\/localhost:8787\/account\/invite\?secret=[\w-]{32}$/);

    const { page, answer, browser } = await choosePassword(service, url);
    expect(page.text).toContain('mia');
    // The only script is that of the wallet's button; the browser of this test runs none.
    expect(page.text.match(/<script[^>]*>/g)).toEqual(['<script src="/account/wallet.js" defer>']);
    expect(answer.status).toBe(303);
    expect((await browser.follow(answer)).text).toContain('Signed in as mia');
    const listed = await manage('GET', `/v1/people/${invited.body.id}`);
    expect(listed.body).toMatchObject({ state: 'active', sessions: 1, signsInBy: 'password' });
    expect(listed.body).not.toHaveProperty('inviteUrl');

    const again = createTestBrowser(service);
    expect((await again.open(url.slice(issuer.length))).status).toBe(403);
    const other = createTestBrowser(service);
    const signedIn = await signIn(other, await other.open('/account'), {
      username: 'mia',
      password,
    });
    expect(signedIn.text).toContain('Signed in as mia');
  });

  test('are invited by links of which the store has hashes alone, and which expire [R7] [T3]', async () => {
    const { service, manage } = await open();
    const { body } = await manage('POST', '/v1/people', { username: 'mia', role: 'member' });
    const secret = new URL(body.inviteUrl).searchParams.get('secret') ?? '';
    const links = await service.database.all(sql`SELECT * FROM password_links`);
    expect(links).toHaveLength(1);
    expect(JSON.stringify(links)).not.toContain(secret);
    expect(service.log.join('\n')).not.toContain(secret);
    service.clock.advance(7 * 24 * 3_600_000);
    const late = await createTestBrowser(service).open(body.inviteUrl.slice(issuer.length));
    expect(late.status).toBe(403);
    expect(late.text).toContain('does not work: it was copied incompletely');
  });

  test('who choose a password by one link concurrently succeed once [R8]', async () => {
    const { service, manage } = await open();
    const { body } = await manage('POST', '/v1/people', { username: 'mia', role: 'member' });
    const tries = await Promise.all(
      [1, 2, 3].map((one) =>
        choosePassword(service, body.inviteUrl, `password number ${one}`).then(
          ({ answer }) => answer.status,
        ),
      ),
    );
    expect(tries.toSorted()).toEqual([303, 403, 403]);
  });

  test('choose a new password by a link that an admin makes, which signs them out [T3]', async () => {
    const world = await open();
    const { service, manage } = world;
    const mia = await join(world, 'mia', 'member');
    const reset = await manage('POST', `/v1/people/${mia.id}:resetPassword`);
    expect(reset.status).toBe(200);
    expect((await mia.browser.open('/account')).text).toContain('Signed in as mia');
    await choosePassword(service, reset.body.resetUrl, 'another password of mia');
    expect((await mia.browser.open('/account')).text).not.toContain('Signed in as mia');
    const browser = createTestBrowser(service);
    const page = await browser.open('/account');
    const old = await browser.submit(page, 'sign-in', { username: 'mia', password });
    expect(old.text).toContain('no account with this name and password');
    const fresh = { username: 'mia', password: 'another password of mia' };
    expect((await signIn(browser, page, fresh)).text).toContain('Signed in as mia');
  });

  test.each(['member', 'admin'])(
    'who become owners can no longer be signed in as by a link from when they were %s [T3]',
    async (role) => {
      const world = await open();
      const { service, manage } = world;
      const ada = await join(world, 'ada', 'admin');
      const asAda = manageWith(service, await ada.token('admin'));
      const mia = await join(world, 'mia', role);
      const reset = await asAda('POST', `/v1/people/${mia.id}:resetPassword`);
      const invited = await asAda('POST', '/v1/people', { username: 'leo', role });
      for (const id of [mia.id, invited.body.id]) {
        expect((await manage('PATCH', `/v1/people/${id}`, { role: 'owner' })).status).toBe(200);
      }
      for (const url of [reset.body.resetUrl, invited.body.inviteUrl]) {
        const late = await createTestBrowser(service).open(String(url).slice(issuer.length));
        expect(late.status).toBe(403);
        expect(late.text).toContain('does not work');
      }
      // The owner creates another link, which works.
      const again = await manage('POST', `/v1/people/${invited.body.id}:resetPassword`);
      const { answer } = await choosePassword(service, again.body.resetUrl);
      expect(answer.status).toBe(303);
    },
  );

  test('keep a link for choosing a password where their role stays what it was [T3]', async () => {
    const world = await open();
    const mia = await join(world, 'mia', 'member');
    const reset = await world.manage('POST', `/v1/people/${mia.id}:resetPassword`);
    await world.manage('PATCH', `/v1/people/${mia.id}`, { role: 'member' });
    expect((await choosePassword(world.service, reset.body.resetUrl)).answer.status).toBe(303);
  });

  test('who change their password end the link by which an admin let them choose one [T3]', async () => {
    const world = await open();
    const { service, manage } = world;
    const mia = await join(world, 'mia', 'member');
    const reset = await manage('POST', `/v1/people/${mia.id}:resetPassword`);
    const chosen = 'another password of mia';
    const page = await mia.browser.open('/account');
    const change = { current: password, password: chosen, repeated: chosen };
    expect((await mia.browser.submit(page, 'password', change)).status).toBe(303);
    const late = await createTestBrowser(service).open(reset.body.resetUrl.slice(issuer.length));
    expect(late.status).toBe(403);
  });

  test('who run the server end links of the owner by a new password in the settings [T3]', async () => {
    const { service, manage } = await open();
    const reset = await manage('POST', '/v1/people/owner:resetPassword');
    await openTestAuthorization({
      database: service.database,
      clock: service.clock,
      environment: { TRADEWIND_OWNER_PASSWORD: 'a changed password' },
    });
    const late = await createTestBrowser(service).open(reset.body.resetUrl.slice(issuer.length));
    expect(late.status).toBe(403);
  });

  test('who choose the first password of the owner end other links to it [T3]', async () => {
    const service = await openTestAuthorization();
    const manage = manageWith(service, readOperatorCredential(service.dataDir) ?? '');
    const given = await manage('POST', '/v1/people/owner:resetPassword');
    const browser = createTestBrowser(service);
    const setUp = String(service.authorization.setUpLink).slice(issuer.length);
    const chosen = { password, repeated: password };
    const done = await browser.submit(await browser.open(setUp), 'set-up', chosen);
    expect(done.status).toBe(303);
    const late = await createTestBrowser(service).open(given.body.resetUrl.slice(issuer.length));
    expect(late.status).toBe(403);
  });

  test('can be admins beside the first one, and lose what they allowed with the role [T3]', async () => {
    const world = await open();
    const ada = await join(world, 'ada', 'admin');
    const token = await ada.token('admin swap.read');
    const asAda = manageWith(world.service, token);
    const made = await asAda('POST', '/v1/people', { username: 'leo', role: 'member' });
    expect(made.status).toBe(200);
    const plain = await ada.token('account.manage');

    const demoted = await world.manage('PATCH', `/v1/people/${ada.id}`, { role: 'member' });
    expect(demoted.body).toMatchObject({ role: 'member', grants: 1 });
    expect((await asAda('GET', '/v1/people')).status).toBe(401);
    expect((await manageWith(world.service, plain)('GET', '/v1/sessions')).status).toBe(200);
    const { scope } = await grantToken(world.service, {
      scope: 'admin swap.read',
      username: 'ada',
      password,
    });
    expect(scope).toBe('swap.read');
  });

  test('who are no admins manage nobody [T3]', async () => {
    const world = await open();
    const mia = await join(world, 'mia', 'member');
    const asMia = manageWith(world.service, await mia.token('swap.read'));
    for (const [method, path, body] of [
      ['GET', '/v1/people'],
      ['POST', '/v1/people', { username: 'eve', role: 'admin' }],
      ['PATCH', `/v1/people/${mia.id}`, { role: 'owner' }],
      ['DELETE', '/v1/people/owner'],
      ['POST', '/v1/people/owner:resetPassword'],
      ['GET', '/v1/keys'],
      ['POST', '/v1/keys:rotate'],
    ] as const) {
      const refused = await asMia(method, path, body);
      expect(refused.status, `${method} ${path}`).toBe(403);
      expect(refused.body.error).toMatchObject({ code: 403, status: 'PERMISSION_DENIED' });
      expect(refused.headers.get('www-authenticate')).toContain('scope="admin"');
    }
    const anonymous = await world.service.request('/v1/people');
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers.get('www-authenticate')).toContain('Bearer');
  });

  test('who are admins do not manage owners, and the last owner stays [T3]', async () => {
    const world = await open();
    const ada = await join(world, 'ada', 'admin');
    const asAda = manageWith(world.service, await ada.token('admin'));
    for (const [method, path, body] of [
      ['DELETE', '/v1/people/owner'],
      ['PATCH', '/v1/people/owner', { role: 'member' }],
      ['PATCH', `/v1/people/${ada.id}`, { role: 'owner' }],
      ['POST', '/v1/people/owner:resetPassword'],
      ['POST', '/v1/people', { username: 'eve', role: 'owner' }],
    ] as const) {
      const refused = await asAda(method, path, body);
      expect(refused.body.error?.details[0].reason, `${method} ${path}`).toBe('OWNER_REQUIRED');
    }
    // An invited owner who cannot sign in yet does not count as another owner.
    await world.manage('POST', '/v1/people', { username: 'otto', role: 'owner' });
    for (const [method, body] of [['DELETE'], ['PATCH', { role: 'admin' }]] as const) {
      const refused = await world.manage(method, '/v1/people/owner', body);
      expect(refused.status).toBe(400);
      expect(refused.body.error.details[0].reason).toBe('LAST_OWNER');
    }
    await world.manage('PATCH', `/v1/people/${ada.id}`, { role: 'owner' });
    const stepped = await world.manage('PATCH', '/v1/people/owner', { role: 'member' });
    expect(stepped.body.role).toBe('member');
  });

  test('are removed with all they allowed, at once, and the answer tells what ended [T3, N21]', async () => {
    const world = await open();
    const mia = await join(world, 'mia', 'member');
    const token = await mia.token('account.manage');
    const asMia = manageWith(world.service, token);
    expect((await asMia('GET', '/v1/sessions')).body.sessions).toHaveLength(2);
    const removed = await world.manage('DELETE', `/v1/people/${mia.id}`);
    expect(removed.body).toEqual({ ended: { sessions: 2, grants: 1 } });
    expect((await asMia('GET', '/v1/sessions')).status).toBe(401);
    expect((await mia.browser.open('/account')).text).not.toContain('Signed in');
    expect((await world.manage('GET', `/v1/people/${mia.id}`)).status).toBe(404);
  });

  test('are listed page by page, and a token of another list is refused [T3]', async () => {
    const { service, manage } = await open();
    for (const username of ['b', 'c', 'd', 'e']) {
      service.clock.advance(1);
      await manage('POST', '/v1/people', { username });
    }
    const names: string[] = [];
    let pageToken = '';
    do {
      const { body } = await manage('GET', `/v1/people?pageSize=2&pageToken=${pageToken}`);
      names.push(...body.people.map(({ username }: { username: string }) => username));
      pageToken = body.nextPageToken ?? '';
    } while (pageToken !== '');
    expect(names).toEqual(['owner', 'b', 'c', 'd', 'e']);
    const first = await manage('GET', '/v1/people?pageSize=1');
    const foreign = await manage('GET', `/v1/sessions?pageToken=${first.body.nextPageToken}`);
    expect(foreign.body.error.details[0].reason).toBe('INVALID_PAGE_TOKEN');
  });

  test('are refused with what is wrong, field by field', async () => {
    const { manage } = await open();
    for (const [body, field] of [
      [{ role: 'member' }, 'username'],
      [{ username: 'x', role: 'king' }, 'role'],
      [{ username: ' \u200b', role: 'member' }, 'username'],
      [{ username: '\ud800', role: 'member' }, 'username'],
    ] as const) {
      const refused = await manage('POST', '/v1/people', body);
      expect(refused.status).toBe(400);
      const details = refused.body.error.details.at(-1);
      expect(details.fieldViolations.map((one: { field: string }) => one.field)).toEqual([field]);
    }
    await manage('POST', '/v1/people', { username: 'mia' });
    const taken = await manage('POST', '/v1/people', { username: 'MIA' });
    expect(taken.body.error).toMatchObject({ code: 409, status: 'ALREADY_EXISTS' });
  });

  test('let an automation client hold admin where an admin gives it by name [T3]', async () => {
    const { service, admin } = await open();
    const register = async (headers: Record<string, string>) => {
      const response = await service.request('/register', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({
          grant_types: ['client_credentials'],
          token_endpoint_auth_method: 'client_secret_post',
          scope: 'admin swap.read',
        }),
      });
      const { client_id, client_secret } = (await response.json()) as Record<string, string>;
      const form = { grant_type: 'client_credentials', client_id, client_secret };
      return (await service.post('/token', form)).body;
    };
    const itself = await register({});
    expect(itself.scope).toBe('swap.read');
    const given = await register({ Authorization: `Bearer ${admin}` });
    expect(given.scope).toContain('admin');
    const automated = manageWith(service, String(given.access_token));
    expect((await automated('GET', '/v1/people')).status).toBe(200);
    const made = await automated('POST', '/v1/people', { username: 'leo', role: 'admin' });
    expect(made.status).toBe(200);
    expect((await automated('DELETE', '/v1/people/owner')).status).toBe(403);
  });
});

describe('sessions', () => {
  test('show device, address and times to their person, and all of them to an admin [T3]', async () => {
    const world = await open();
    const mia = await join(world, 'mia', 'member');
    const asMia = manageWith(world.service, await mia.token('account.manage'));
    const own = (await asMia('GET', '/v1/sessions')).body.sessions;
    expect(own).toHaveLength(2);
    expect(own[0]).toMatchObject({
      personId: mia.id,
      device: 'Unknown device',
      signedIn: expect.stringMatching(/^\d{4}-/),
      lastUsed: expect.stringMatching(/^\d{4}-/),
    });
    expect((await asMia('GET', '/v1/sessions?person=owner')).status).toBe(403);
    const all = (await world.manage('GET', '/v1/sessions')).body.sessions;
    expect(all).toHaveLength(3);
    const foreign = all.find(({ personId }: { personId: string }) => personId === 'owner');
    expect((await asMia('DELETE', `/v1/sessions/${foreign.id}`)).status).toBe(404);
  });

  test('end with all that was allowed in them, and nothing else [T3]', async () => {
    const world = await open();
    const mia = await join(world, 'mia', 'member');
    const asMia = manageWith(world.service, await mia.token('account.manage'));
    const list = async (): Promise<readonly string[]> =>
      (await asMia('GET', '/v1/sessions')).body.sessions.map(({ id }: { id: string }) => id);
    const before = await list();
    const browser = createTestBrowser(world.service);
    const { access_token } = await grantToken(world.service, {
      username: 'mia',
      password,
      browser,
    });
    const other = manageWith(world.service, access_token);
    const [opened] = (await list()).filter((id) => !before.includes(id));
    const ended = await asMia('DELETE', `/v1/sessions/${opened}`);
    expect(ended.body).toEqual({ ended: { sessions: 1, grants: 1 } });
    expect(await list()).toEqual(before);
    const statuses = [await asMia('GET', '/v1/sessions'), await other('GET', '/v1/sessions')];
    expect(statuses.map(({ status }) => status)).toEqual([200, 401]);
  });
});

describe('grants', () => {
  test('show what each client may do and when it was last used, and can be taken back [T3]', async () => {
    const world = await open();
    const mia = await join(world, 'mia', 'member');
    const { access_token, refresh_token, clientId } = await grantToken(world.service, {
      username: 'mia',
      password,
    });
    world.service.clock.advance(60_000);
    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token };
    await world.service.post('/token', refresh);
    const asMia = manageWith(world.service, access_token);
    const [grant] = (await asMia('GET', '/v1/grants')).body.grants;
    expect(grant).toMatchObject({ personId: mia.id, clientId, scopes: ['swap.read'] });
    expect(Date.parse(grant.lastUsed) - Date.parse(grant.granted)).toBe(60_000);
    const [ofOwner] = (await world.manage('GET', '/v1/grants?person=owner')).body.grants;
    expect((await asMia('DELETE', `/v1/grants/${ofOwner.id}`)).status).toBe(404);
    expect((await asMia('DELETE', `/v1/grants/${grant.id}`)).status).toBe(200);
    expect((await asMia('GET', '/v1/grants')).status).toBe(401);
  });
});

describe('signing keys', () => {
  test('are listed without a secret, and rotated at once while old tokens stay good [T2]', async () => {
    const { service, manage } = await open();
    const before = (await manage('GET', '/v1/keys')).body.keys;
    expect(before).toEqual([
      {
        id: expect.any(String),
        algorithm: 'ES256',
        state: 'signing',
        made: expect.any(String),
        signs: expect.any(String),
        retires: expect.any(String),
      },
    ]);
    const rotated = await manage('POST', '/v1/keys:rotate');
    expect(rotated.body.state).toBe('signing');
    const { keys } = (await manage('GET', '/v1/keys')).body;
    expect(keys.map(({ state }: { state: string }) => state)).toEqual(['retiring', 'signing']);
    const published = (await (await service.request('/jwks')).json()) as { keys: object[] };
    expect(published.keys).toHaveLength(2);
    const { access_token } = await grantToken(service);
    const [header = ''] = access_token.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString()).kid).toBe(rotated.body.id);
    service.clock.advance(3_600_001);
    const last = await service.request('/jwks');
    expect(((await last.json()) as { keys: object[] }).keys).toHaveLength(1);
  });
});

test('the operator of the machine manages people by the credential in the data directory [T3]', async () => {
  const service = await openTestAuthorization();
  const credential = readOperatorCredential(service.dataDir) ?? '';
  const manage = manageWith(service, credential);
  const { body } = await manage('POST', '/v1/people', { username: 'otto', role: 'owner' });
  expect(body.inviteUrl).toContain('/account/invite');
  expect((await manageWith(service, `${credential}x`)('GET', '/v1/people')).status).toBe(401);
});
