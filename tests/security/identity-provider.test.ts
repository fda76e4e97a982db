import { describe, expect, onTestFinished, test } from 'vitest';
import { passingSeconds } from '../../src/authorization/http/error-page.ts';
import { authorizationLimits } from '../../src/authorization/limits.ts';
import type { AccountId } from '../../src/authorization/model/account.ts';
import { createIdentityProviderFetch } from '../../src/authorization/people/identity-provider/identity-provider.ts';
import { renewalKind } from '../../src/authorization/people/identity-provider/sessions.ts';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { addProviderSession } from '../../src/authorization/store/identity-provider-store.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { scheduleWork } from '../../src/kernel/work/work.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import {
  issuer,
  openTestAuthorization,
  ownerPassword,
  type TestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';
import { startIdentityProvider } from '../support/start-identity-provider.ts';
import { startWorker } from '../support/start-worker.ts';
import {
  askForAccess,
  createTestBrowser,
  locationOf,
  openInteraction,
  type TestPage,
} from '../support/test-browser.ts';

type Setup = Parameters<typeof startIdentityProvider>[0] & { environment?: Record<string, string> };

/** Our server with an identity provider. Both clocks start at the same time, and the test can advance ours. */
async function open({ environment = {}, ...options }: Setup = {}) {
  const identityProvider = await startIdentityProvider(options);
  const service = await openTestAuthorization({
    clock: createFakeClock(Date.now()),
    environment: { ...withOwner, ...identityProvider.environment, ...environment },
  });
  return { service, identityProvider };
}

/** A browser that pressed the button and was redirected to the identity provider. */
async function leaveForIdentityProvider(service: TestAuthorization) {
  const browser = createTestBrowser(service);
  const asked = await askForAccess(service);
  const page = await openInteraction(browser, asked.path);
  const left = await browser.submit(page, 'third-party');
  return { browser, asked, page, left };
}

/** Signs in through the identity provider, allows access, and returns our tokens. */
async function obtainTokens(
  { service, identityProvider }: Awaited<ReturnType<typeof open>>,
  login = 'ada',
) {
  const { browser, asked, left } = await leaveForIdentityProvider(service);
  const back = await identityProvider.visit(locationOf(left), { login });
  const consent = await browser.follow(await browser.open(back.pathname + back.search));
  const allowed = await browser.submit(consent, 'consent', { decision: 'allow' });
  const response = await service.request('/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: String(new URL(locationOf(allowed)).searchParams.get('code')),
      code_verifier: asked.codeVerifier,
      client_id: asked.clientId,
      redirect_uri: asked.redirectUri,
    }),
  });
  const tokens = (await response.json()) as { access_token: string; refresh_token: string };
  return { ...tokens, browser, consent, clientId: asked.clientId };
}

function check({ authorization }: TestAuthorization, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  return authorization.guard.check(new Request(`${issuer}/mcp`, { headers }));
}

const errorOf = (page: TestPage) => new URL(locationOf(page)).searchParams.get('error');

describe('signing in through an identity provider', () => {
  test('is enough for the console, even if the browser returns from another site [K11]', async () => {
    const { service, identityProvider } = await open();
    const browser = createTestBrowser(service);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'tradewind-console',
      redirect_uri: `${issuer}/console/callback`,
      code_challenge: createPkce().codeChallenge,
      code_challenge_method: 'S256',
    });
    const page = await openInteraction(browser, `/authorize?${query}`);
    const left = await browser.submit(page, 'third-party');
    const back = await identityProvider.visit(locationOf(left), { login: 'ada' });
    const sent = { 'Sec-Fetch-Site': 'cross-site' };
    const signedIn = await browser.open(back.pathname + back.search, sent);
    const allowed = await browser.open(locationOf(signedIn), sent);
    expect(locationOf(allowed)).toMatch(/^\/console\/callback\?code=/);
  });

  test('completes what the client began, under the name the operator gave', async () => {
    const opened = await open();
    const { consent, access_token } = await obtainTokens(opened);
    expect(consent.text).toContain('Signed in as <strong>ada of Example</strong>');
    const { principal } = await check(opened.service, access_token);
    expect(principal).toMatchObject({ isPerson: true, scope: ['swap.read', 'subscriptions.read'] });
    const page = await createTestBrowser(opened.service).open('/account');
    expect(page.text).toContain('Continue with Example Login');
  });

  test('knows a person by issuer and subject, and never as the owner', async () => {
    const opened = await open();
    const one = await check(opened.service, (await obtainTokens(opened, 'owner')).access_token);
    const same = await check(opened.service, (await obtainTokens(opened, 'owner')).access_token);
    const other = await check(opened.service, (await obtainTokens(opened, 'bob')).access_token);
    expect(one.principal?.subject).toBe(same.principal?.subject);
    expect(one.principal?.subject).not.toBe(other.principal?.subject);
    expect(one.principal?.subject).not.toBe('owner');
  });

  test('works with a provider that supports OAuth but not OpenID Connect', async () => {
    const opened = await open({ scopes: 'read' });
    const { consent, access_token } = await obtainTokens(opened);
    expect(consent.text).toContain('Signed in as <strong>ada</strong>');
    expect((await check(opened.service, access_token)).principal?.isPerson).toBe(true);
  });

  test('keeps the mapping between their tokens and ours sealed [S14]', async () => {
    const opened = await open();
    await obtainTokens(opened);
    const rows = await opened.service.database.all<{ sealed: string }>(
      sql`SELECT * FROM third_party_sessions`,
    );
    expect(rows).toHaveLength(1);
    const dump = JSON.stringify(rows) + Buffer.from(String(rows[0]?.sealed), 'base64url');
    expect(opened.identityProvider.tokens().length).toBeGreaterThanOrEqual(3);
    for (const token of opened.identityProvider.tokens()) expect(dump).not.toContain(token);
  });

  test.each([true, false])(
    'refuses our token at most 60 s after theirs was revoked, with introspection: %s [S14]',
    async (hasIntrospection) => {
      const opened = await open({
        hasIntrospection,
        environment: { TRADEWIND_IDP_STATUS_INTERVAL: '60s' },
      });
      const { service, identityProvider } = opened;
      const { access_token, refresh_token, clientId } = await obtainTokens(opened);
      expect((await check(service, access_token)).principal).toBeDefined();
      await identityProvider.revoke();
      service.clock.advance(60_000);
      const [refused, again] = await Promise.all([
        check(service, access_token),
        check(service, access_token),
      ]);
      expect(refused.refusal).toMatchObject({ status: 401, reason: 'invalid' });
      expect(again.refusal).toMatchObject({ status: 401 });
      const refreshed = await service.request('/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token,
          client_id: clientId,
        }),
      });
      expect(await refreshed.json()).toMatchObject({ error: 'invalid_grant' });
    },
  );

  test('asks once for many requests at the same time, and again only after the bound [S14]', async () => {
    const opened = await open();
    const { service, identityProvider } = opened;
    const { access_token } = await obtainTokens(opened);
    const asked = () =>
      identityProvider.exchanges.filter(({ path }) => /introspection/.test(path)).length;
    await Promise.all(Array.from({ length: 20 }, () => check(service, access_token)));
    expect(asked()).toBe(1);
    service.clock.advance(29_999);
    await check(service, access_token);
    expect(asked()).toBe(1);
    service.clock.advance(1);
    await check(service, access_token);
    expect(asked()).toBe(2);
  });

  test('renews their token before it expires, in one process of several [S14]', async () => {
    const opened = await open();
    const { service, identityProvider } = opened;
    const other = await openTestAuthorization({
      database: service.database,
      clock: service.clock,
      environment: { ...withOwner, ...identityProvider.environment },
    });
    const { access_token } = await obtainTokens(opened);
    for (const { authorization } of [service, other]) {
      for (const worker of authorization.workers) {
        if (worker.name.includes('third-party')) startWorker(worker);
      }
    }
    const renewals = () =>
      identityProvider.exchanges.filter(({ sent }) => sent.includes('grant_type=refresh_token'));
    await service.clock.whenAsleep(2);
    service.clock.advance(240_000 - 1);
    expect(renewals()).toHaveLength(0);
    service.clock.advance(1 + 5_000);
    await expect.poll(renewals).toHaveLength(1);
    await expect.poll(() => expiryOf(service)).toBeGreaterThan(service.clock.now() + 290_000);
    service.clock.advance(70_000);
    expect((await check(service, access_token)).principal).toBeDefined();
    expect(renewals()).toHaveLength(1);
  });

  test('renews at the next use a token that expired while no process ran [S14]', async () => {
    const opened = await open({ environment: { TRADEWIND_ACCESS_TOKEN_LIFETIME: '1h' } });
    const { service, identityProvider } = opened;
    const { access_token } = await obtainTokens(opened);
    service.clock.advance(301_000);
    const verdicts = await Promise.all([1, 2, 3].map(() => check(service, access_token)));
    for (const { principal } of verdicts) expect(principal).toBeDefined();
    const renewals = identityProvider.exchanges.filter(({ sent }) => /refresh_token/.test(sent));
    expect(renewals).toHaveLength(1);
  });

  test('ends a session that is idle for too long [S14]', async () => {
    const opened = await open({
      environment: { TRADEWIND_IDP_SESSION_IDLE: '3m', TRADEWIND_ACCESS_TOKEN_LIFETIME: '1h' },
    });
    const { service } = opened;
    const { access_token } = await obtainTokens(opened);
    for (let minute = 0; minute < 4; minute += 1) {
      service.clock.advance(60_000);
      expect((await check(service, access_token)).principal).toBeDefined();
    }
    service.clock.advance(180_000);
    expect((await check(service, access_token)).refusal).toMatchObject({ status: 401 });
    expect(await service.database.all(sql`SELECT * FROM third_party_sessions`)).toEqual([]);
  });

  test('ends the sessions that a person used longest ago, but none that a grant depends on [N5]', async () => {
    const opened = await open();
    const { service, identityProvider } = opened;
    const { database } = service;
    const { access_token } = await obtainTokens(opened);
    const [{ account_id: accountId = '' } = {}] = await database.all<{ account_id: string }>(
      sql`SELECT account_id FROM third_party_sessions`,
    );
    const { value: kept } = authorizationLimits.identityProviderSessionsOfAccount;
    for (let n = 1; n <= kept; n++) {
      await addProviderSession(database, {
        id: `s${n}`,
        accountId: accountId as AccountId,
        sealed: '',
        expiresAt: undefined,
        lastUsedAt: service.clock.now() + n,
      });
      const work = { kind: renewalKind, key: `s${n}`, payload: null, dueAt: 0 };
      await database.transaction((tx) => scheduleWork(tx, work));
    }
    const { browser, left } = await leaveForIdentityProvider(service);
    const back = await identityProvider.visit(locationOf(left), { login: 'ada' });
    await browser.open(back.pathname + back.search);
    const sessions = await database.all<{ session_id: string }>(
      sql`SELECT session_id FROM third_party_sessions`,
    );
    expect(sessions).toHaveLength(kept + 1);
    expect(sessions).not.toContainEqual({ session_id: 's1' });
    expect(await database.all(sql`SELECT key FROM work WHERE key = 's1'`)).toEqual([]);
    expect((await check(service, access_token)).principal).toBeDefined();
  });

  test('tells the client access_denied when the person says no there [S14]', async () => {
    const { service, identityProvider } = await open();
    const { browser, left } = await leaveForIdentityProvider(service);
    const back = await identityProvider.visit(locationOf(left), 'deny');
    const answer = await browser.open(back.pathname + back.search);
    expect([answer.status, errorOf(answer)]).toEqual([303, 'access_denied']);
  });

  test.each(['discovery', 'token'] as const)(
    'tells the client server_error when %s fails with a 5xx there [S14]',
    async (leg) => {
      const { service, identityProvider } = await open();
      if (leg === 'discovery') identityProvider.fail(/well-known/, 500);
      const { browser, left } = await leaveForIdentityProvider(service);
      if (leg === 'discovery') return expect(errorOf(left)).toBe('server_error');
      const back = await identityProvider.visit(locationOf(left), { login: 'ada' });
      identityProvider.fail(/token/, 502);
      const answer = await browser.open(back.pathname + back.search);
      expect(errorOf(answer)).toBe('server_error');
    },
  );

  test('tells the client temporarily_unavailable when it does not answer in time [S14]', async () => {
    const { service, identityProvider } = await open();
    const { browser, left } = await leaveForIdentityProvider(service);
    const back = await identityProvider.visit(locationOf(left), { login: 'ada' });
    identityProvider.fail(/token/, 'hang');
    const answering = browser.open(back.pathname + back.search);
    await service.clock.whenAsleep();
    service.clock.advance(10_000);
    expect(errorOf(await answering)).toBe('temporarily_unavailable');
  });

  test.each([
    ['refuse', 'temporarily_unavailable'],
    ['honour', undefined],
  ])(
    'while it is out of order our tokens are treated by the policy %s [S14]',
    async (policy, code) => {
      const opened = await open({ environment: { TRADEWIND_IDP_OUTAGE: policy } });
      const { service, identityProvider } = opened;
      const { access_token } = await obtainTokens(opened);
      identityProvider.fail(/introspection/, 503);
      // Until then the server trusts the provider's answer from the time of the consent page.
      service.clock.advance(30_000);
      const verdict = await check(service, access_token).catch((error) => error.code);
      if (code === undefined) expect(verdict.principal).toBeDefined();
      else expect(verdict).toBe(code);
      // An outage ends no session.
      identityProvider.recover();
      service.clock.advance(30_000);
      expect((await check(service, access_token)).principal).toBeDefined();
    },
  );

  test('signs a person out of the pages at most 30 s after their session ended there [S14]', async () => {
    const opened = await open();
    const { service, identityProvider } = opened;
    const { browser } = await obtainTokens(opened);
    await service.database.run(sql`UPDATE accounts SET role = 'admin' WHERE name LIKE 'ada%'`);
    const account = await browser.open('/account');
    expect(account.text).toContain('Signed in as ada of Example');
    const second = await askForAccess(service, { name: 'Another client' });
    const consent = await openInteraction(browser, second.path);
    const clients = () => service.database.all(sql`SELECT client_id FROM clients`);
    const before = await clients();

    await identityProvider.revoke();
    service.clock.advance(30_000);
    const client = { name: 'Mine', kind: 'service', redirects: '' };
    const added = await browser.submit(account, 'add-client', client);
    expect([added.status, locationOf(added)]).toEqual([303, '/account']);
    expect(await clients()).toEqual(before);
    const allowed = await browser.submit(consent, 'consent', { decision: 'allow' });
    expect(locationOf(allowed)).toBe(consent.path);
    for (const path of ['/account', consent.path]) {
      expect((await browser.open(path)).text).toContain('data-form="sign-in"');
    }
  });

  test('checks the session no more often for pages than for tokens [S14]', async () => {
    const opened = await open();
    const { service, identityProvider } = opened;
    const { browser, access_token } = await obtainTokens(opened);
    const asked = () =>
      identityProvider.exchanges.filter(({ path }) => /introspection/.test(path)).length;
    const before = asked();
    service.clock.advance(30_000);
    for (let count = 0; count < 3; count++) {
      expect((await browser.open('/account')).status).toBe(200);
      await check(service, access_token);
    }
    expect(asked()).toBe(before + 1);
  });

  test.each([
    ['refuse', 503],
    ['honour', 200],
  ])(
    'while it is out of order pages are shown by the policy %s, and signing out works [S14]',
    async (policy, status) => {
      const opened = await open({ environment: { TRADEWIND_IDP_OUTAGE: policy } });
      const { service, identityProvider } = opened;
      const { browser } = await obtainTokens(opened);
      const account = await browser.open('/account');
      identityProvider.fail(/introspection/, 503);
      service.clock.advance(30_000);
      expect((await browser.open('/account')).status).toBe(status);
      identityProvider.recover();
      service.clock.advance(30_000);
      expect((await browser.open('/account')).text).toContain('Signed in as ada of Example');
      identityProvider.fail(/introspection/, 503);
      service.clock.advance(30_000);
      expect((await browser.submit(account, 'sign-out')).status).toBe(303);
      expect((await browser.open('/account')).text).toContain('data-form="sign-in"');
    },
  );

  test('while it is out of order a person can sign in by a password instead [S14]', async () => {
    const opened = await open();
    const { service, identityProvider } = opened;
    const { browser } = await obtainTokens(opened);
    const second = await askForAccess(service, { name: 'Another client' });
    identityProvider.fail(/introspection/, 503);
    service.clock.advance(30_000);
    const page = await openInteraction(browser, second.path);
    for (const shown of [await browser.open('/account'), page]) {
      expect([shown.status, shown.headers.get('retry-after')]).toEqual([503, passingSeconds]);
      expect(shown.text).toContain(
        'cannot check whether your sign-in is still valid: try again later. Or sign in below in another way.',
      );
      expect(shown.text).toContain('data-form="sign-in"');
    }
    const signedIn = await browser.follow(
      await browser.submit(page, 'sign-in', { username: 'owner', password: ownerPassword }),
    );
    expect([signedIn.status, signedIn.text]).toEqual([
      200,
      expect.stringContaining('Allow Another client access?'),
    ]);
  });

  test('lets their token reach neither client nor page nor log [S14] [A12]', async () => {
    const opened = await open();
    const { service, identityProvider } = opened;
    const seen: string[] = [];
    const { request } = service;
    const spied = {
      ...service,
      request: async (...given: Parameters<typeof request>) => {
        const response = await request(...given);
        seen.push(JSON.stringify([...response.headers]), await response.clone().text());
        return response;
      },
    };
    const { access_token } = await obtainTokens({ service: spied, identityProvider });
    await check(service, access_token);
    identityProvider.fail(/introspection/, 500);
    service.clock.advance(30_000);
    await check(service, access_token).catch(() => {});
    const told = [...seen, ...service.log, atob(String(access_token.split('.')[1]))].join('\n');
    expect(identityProvider.tokens().length).toBeGreaterThanOrEqual(3);
    for (const token of identityProvider.tokens()) expect(told).not.toContain(token);
  });
});

describe('the identity provider', () => {
  test('is reachable at a private address of the operator, and cannot lead to another one [A7]', async () => {
    const { issuer: address } = await startIdentityProvider();
    const { fetch, close } = createIdentityProviderFetch({
      issuer: new URL(address),
      clock: systemClock,
    });
    onTestFinished(close);
    const get = { method: 'GET', headers: {} };
    const found = await fetch(`${address}/.well-known/openid-configuration`, get);
    expect(found.status).toBe(200);
    const { port } = new URL(address);
    for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '2130706433', '10.0.0.1']) {
      const refused = fetch(`http://${host}:${port}/token`, get);
      await expect(refused, host).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' });
    }
  });
});

describe('the way back from an identity provider', () => {
  test('is closed to a browser that did not begin it [A3]', async () => {
    const { service, identityProvider } = await open();
    const { browser: attacker, left } = await leaveForIdentityProvider(service);
    const back = await identityProvider.visit(locationOf(left), { login: 'victim' });
    const victim = createTestBrowser(service);
    const answer = await victim.open(back.pathname + back.search);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('location')).toBeNull();
    expect(await accountsOf(service)).toEqual(['owner']);
    // The browser that began the sign-in can still finish it.
    expect((await attacker.open(back.pathname + back.search)).status).toBe(303);
  });

  test('works once [R8]', async () => {
    const { service, identityProvider } = await open();
    const { browser, left } = await leaveForIdentityProvider(service);
    const { pathname, search } = await identityProvider.visit(locationOf(left), { login: 'ada' });
    const cookies = new Map(browser.cookies);
    expect((await browser.open(pathname + search)).status).toBe(303);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect((await browser.open(pathname + search)).status).toBe(403);
  });

  test.each([
    ['another state', (query: URLSearchParams) => query.set('state', 'guessed'), 403],
    ['no state', (query: URLSearchParams) => query.delete('state'), 403],
    ['another issuer', (query: URLSearchParams) => query.set('iss', 'https://evil.example'), 303],
    ['no issuer', (query: URLSearchParams) => query.delete('iss'), 303],
    ['another code', (query: URLSearchParams) => query.set('code', 'injected'), 303],
  ])('leads nowhere with %s [S14]', async (_, change, status) => {
    const { service, identityProvider } = await open();
    const { browser, left } = await leaveForIdentityProvider(service);
    const { pathname, searchParams } = await identityProvider.visit(locationOf(left), {
      login: 'ada',
    });
    expect(searchParams.get('iss')).toBe(identityProvider.issuer);
    change(searchParams);
    const answer = await browser.open(`${pathname}?${searchParams}`);
    expect(answer.status).toBe(status);
    if (status === 303) expect(errorOf(answer)).toBe('server_error');
    expect(await accountsOf(service)).toEqual(['owner']);
  });

  test('is bound by PKCE: a code of another sign-in is worthless [S14]', async () => {
    const { service, identityProvider } = await open();
    const [one, other] = [
      await leaveForIdentityProvider(service),
      await leaveForIdentityProvider(service),
    ];
    expect(new URL(locationOf(one.left)).searchParams.get('code_challenge_method')).toBe('S256');
    const stolen = await identityProvider.visit(locationOf(one.left), { login: 'ada' });
    const own = await identityProvider.visit(locationOf(other.left), { login: 'eve' });
    own.searchParams.set('code', String(stolen.searchParams.get('code')));
    const answer = await other.browser.open(own.pathname + own.search);
    expect(errorOf(answer)).toBe('server_error');
    expect(await accountsOf(service)).toEqual(['owner']);
  });

  test('ends at the consent for each client, although all share one client id there [A3]', async () => {
    const opened = await open();
    const { service } = opened;
    const { browser } = await obtainTokens(opened);
    const second = await askForAccess(service, { name: 'Another client' });
    const page = await openInteraction(browser, second.path);
    expect(page.text).toContain('Allow Another client access?');
  });
});

async function accountsOf({ database }: TestAuthorization): Promise<string[]> {
  const rows = await database.all<{ name: string }>(sql`SELECT name FROM accounts`);
  return rows.map(({ name }) => name);
}

async function expiryOf({ database }: TestAuthorization): Promise<number> {
  const row = await database.first<{ expires_at: number }>(
    sql`SELECT expires_at FROM third_party_sessions`,
  );
  return row?.expires_at ?? 0;
}
