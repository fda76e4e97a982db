import { describe, expect, test } from 'vitest';
import { sql } from '../../src/kernel/database/sql.ts';
import {
  issuer,
  openTestAuthorization,
  type TestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';
import {
  askForAccess,
  createTestBrowser,
  locationOf,
  openInteraction,
  readForm,
  signIn,
} from '../support/test-browser.ts';

const open = (environment: Record<string, string> = withOwner) =>
  openTestAuthorization({ environment });

/** A browser at the consent page of a fresh request. */
async function openConsent(options: Parameters<typeof askForAccess>[1] = {}) {
  const service = await open();
  const browser = createTestBrowser(service);
  const asked = await askForAccess(service, options);
  const page = await signIn(browser, await openInteraction(browser, asked.path));
  return { service, browser, page, ...asked };
}

describe('the consent page', () => {
  test('leaves no interaction id in the log [A12]', async () => {
    const { service, browser, page } = await openConsent();
    const [, id = ''] = /^\/authorize\/([^/]+)$/.exec(page.path) ?? [];
    await service.request(page.path, { method: 'PUT' });
    await browser.submit(page, 'consent', { decision: 'allow' });
    const log = service.log.join('');
    expect(id).toHaveLength(43);
    expect(log).not.toContain(id.slice(0, 8));
    expect(log).toContain('"path":"/authorize/:interaction/consent"');
    expect(log).toContain('"method":"PUT","path":"/authorize/*","status":405');
  });

  test('shows who asks, where the answer goes and what for, in plain words [L8]', async () => {
    const { page } = await openConsent({
      name: 'Weather agent',
      redirectUri: 'https://agent.example.com/back',
      scope: 'swap.read subscriptions.write',
    });
    expect(page.text).toContain('Weather agent');
    expect(page.text).toContain('<strong>agent.example.com</strong>');
    expect(page.text).toContain('Create, change and delete subscriptions for you');
    expect(page.text).toContain('Signed in as <strong>owner</strong>');
    expect(page.text).not.toContain('on this computer');
  });

  test.each(['http://localhost:3000/callback', 'http://127.0.0.1:3000/', 'http://[::1]:3000/'])(
    'warns that %s is this machine [L8]',
    async (redirectUri) => {
      const { page } = await openConsent({ redirectUri });
      expect(page.text).toContain(`<strong>${new URL(redirectUri).host}</strong>`);
      expect(page.text).toContain('a program on this computer');
    },
  );

  test('redirects with a 303, and no page may be framed, cached or leaked as referrer [R1]', async () => {
    const { browser, page, redirectUri } = await openConsent();
    const allowed = await browser.submit(page, 'consent', { decision: 'allow' });
    expect(allowed.status).toBe(303);
    const target = new URL(locationOf(allowed));
    expect(target.href.startsWith(redirectUri)).toBe(true);
    expect(Object.fromEntries(target.searchParams)).toEqual({
      code: expect.any(String),
      state: 'the state',
      iss: issuer,
    });
    for (const { headers } of [page, allowed]) {
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
    expect(page.headers.get('content-security-policy')).not.toContain('script-src');
  });

  test('tells the client of a denial', async () => {
    const { browser, page } = await openConsent();
    const denied = await browser.submit(page, 'consent', { decision: 'deny' });
    const { searchParams } = new URL(locationOf(denied));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'the state',
      iss: issuer,
    });
  });

  test('is decided once: a second decision finds nothing to decide', async () => {
    const { browser, page } = await openConsent();
    const decisions = await Promise.all(
      [1, 2, 3].map(() => browser.submit(page, 'consent', { decision: 'allow' })),
    );
    expect(decisions.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
    expect(decisions.find(({ status }) => status === 400)?.text).toContain('is over');
  });

  test.each([
    ['what is ticked', { ticked: 'yes', 'scope:swap.read': 'yes' }, 'swap.read'],
    ['everything asked where only the decision comes', {}, 'swap.read subscriptions.read'],
    [
      'nothing that was not asked',
      {
        ticked: 'yes',
        'scope:swap.read': 'yes',
        'scope:events.publish': 'yes',
        'scope:admin': 'y',
      },
      'swap.read',
    ],
  ])('allows %s', async (_, ticks, scope) => {
    const { service, browser, page } = await openConsent();
    await browser.submit(page, 'consent', { decision: 'allow', ...ticks });
    expect(await grantsOf(service)).toEqual([scope]);
  });

  test('does not allow an empty choice', async () => {
    const { browser, page } = await openConsent();
    const answer = await browser.submit(page, 'consent', { decision: 'allow', ticked: 'yes' });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('Nothing is ticked');
  });

  test('lets nobody but the owner hand out the rights of the owner', async () => {
    const service = await open();
    const owner = createTestBrowser(service);
    const account = await signIn(owner, await owner.open('/account'));
    const password = 'another-long-one';
    const added = { name: 'ada', password, repeated: password };
    await owner.submit(account, 'add-account', added);
    const ada = createTestBrowser(service);
    const { path } = await askForAccess(service, { scope: 'swap.read admin' });
    const page = await signIn(ada, await openInteraction(ada, path), { username: 'Ada', password });
    expect(page.text).not.toContain('scope:admin');
    await ada.submit(page, 'consent', {
      decision: 'allow',
      ticked: 'yes',
      'scope:admin': 'yes',
      'scope:swap.read': 'yes',
    });
    expect(await grantsOf(service)).toEqual(['swap.read']);
  });
});

describe('consent cannot be', () => {
  const allow = { decision: 'allow' };

  test('forged across sites [A11]', async () => {
    const { service, browser, page } = await openConsent();
    const { action, hidden } = readForm(page, 'consent');
    const withKey = (key: object) => ({ ...page, text: formOf('consent', action, { ...key }) });
    const bare = await browser.submit(withKey({}), 'consent', allow);
    expect(bare.status).toBe(403);
    const otherForm = readForm(page, 'switch').hidden;
    expect((await browser.submit(withKey(otherForm), 'consent', allow)).status).toBe(403);
    const second = await openInteraction(browser, (await askForAccess(service)).path);
    const otherInteraction = readForm(second, 'consent').hidden;
    expect((await browser.submit(withKey(otherInteraction), 'consent', allow)).status).toBe(403);
    expect(await grantsOf(service)).toEqual([]);
    expect((await browser.submit(withKey(hidden), 'consent', allow)).status).toBe(303);
  });

  test.each([
    'https://evil.example',
    'http://localhost:3000',
    'http://localhost.evil.example:8787',
  ])('posted by a page of %s [A11] [L8]', async (Origin) => {
    const { service, browser, page } = await openConsent();
    expect((await browser.submit(page, 'consent', allow, { Origin })).status).toBe(403);
    expect(await grantsOf(service)).toEqual([]);
  });

  test.each(['null', issuer])(
    'refused to a browser that sends the origin %s [L8]',
    async (Origin) => {
      const { browser, page } = await openConsent();
      expect((await browser.submit(page, 'consent', allow, { Origin })).status).toBe(303);
    },
  );

  test('given by a browser that was not shown the page [A11]', async () => {
    const { service, page } = await openConsent();
    const stranger = createTestBrowser(service);
    const cookieless = await stranger.submit(page, 'consent', allow);
    expect(cookieless.status).toBe(403);
    expect(cookieless.text).toContain('cookie');
    await signIn(stranger, await stranger.open('/account'));
    expect((await stranger.submit(page, 'consent', allow)).status).toBe(403);
    expect(await grantsOf(service)).toEqual([]);
  });

  test('scripted through the name of a client [A11, N6]', async () => {
    const { page } = await openConsent({ name: '<script>alert(1)</script>"><img src=x>' });
    expect(page.text).not.toContain('<script');
    expect(page.text).not.toContain('<img');
    expect(page.text).toContain('&lt;script&gt;');
  });

  test('disguised by look-alike letters [A11]', async () => {
    const { page } = await openConsent({ name: 'Cl\u0430ude' });
    expect(page.text).toContain('Cl<mark>\u0430<small>[U+0430]</small></mark>ude');
    expect(page.text).toContain('are not the ones they look like');
  });

  test('bound to a session that was planted before the sign-in [A11]', async () => {
    const service = await open();
    const attacker = createTestBrowser(service);
    await attacker.open('/account');
    const victim = createTestBrowser(service);
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value);
    const planted = new Map(victim.cookies);
    await signIn(victim, await victim.open('/account'));
    expect([...victim.cookies]).not.toEqual([...planted]);
    expect((await attacker.open('/account')).text).toContain('data-form="sign-in"');
  });

  test('left over when somebody else signs in', async () => {
    const { service, browser, page } = await openConsent();
    await browser.submit(page, 'switch');
    expect((await browser.submit(page, 'consent', allow)).status).toBe(403);
    expect(await grantsOf(service)).toEqual([]);
  });

  test('given on an old session where the client wants a fresh sign-in', async () => {
    const { service, browser } = await openConsent();
    service.clock.advance(1_000);
    const fresh = await askForAccess(service, { parameters: { prompt: 'login' } });
    const page = await openInteraction(browser, fresh.path);
    expect(page.text).toContain('data-form="sign-in"');
    expect((await signIn(browser, page)).text).toContain('data-form="consent"');
  });
});

test('two consent tabs open at once both finish [A11]', async () => {
  const service = await open();
  const browser = createTestBrowser(service);
  const asked = [await askForAccess(service), await askForAccess(service, { name: 'Another' })];
  const [one, other] = [
    await openInteraction(browser, asked[0]!.path),
    await openInteraction(browser, asked[1]!.path),
  ];
  // Both tabs show the sign-in page before either is used.
  const consents = [await signIn(browser, one), await signIn(browser, other)];
  for (const page of consents) {
    const allowed = await browser.submit(page, 'consent', { decision: 'allow' });
    expect(new URL(locationOf(allowed)).searchParams.has('code')).toBe(true);
  }
  expect(await grantsOf(service)).toHaveLength(2);
});

test('an interaction that is unknown or over gets a page and no redirect', async () => {
  const service = await open();
  const page = await createTestBrowser(service).open('/authorize/not-one-of-ours');
  expect(page.status).toBe(400);
  expect(page.headers.get('location')).toBeNull();
  expect(page.text).toContain('start again');
});

async function grantsOf({ database }: TestAuthorization): Promise<string[]> {
  const rows = await database.all<{ scope: string }>(sql`SELECT scope FROM grants`);
  return rows.map(({ scope }) => scope);
}

function formOf(name: string, action: string, hidden: Record<string, string>): string {
  const inputs = Object.entries(hidden).map(
    ([key, value]) => `<input type="hidden" name="${key}" value="${value}">`,
  );
  return `<form action="${action}" data-form="${name}">${inputs.join('')}</form>`;
}
