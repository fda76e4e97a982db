import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { grantToken, manageWith } from '../support/grant-token.ts';
import {
  issuer,
  openTestAuthorization,
  ownerPassword,
  type TestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';
import { proveWallet } from '../support/prove-wallet.ts';
import { startIdentityProvider } from '../support/start-identity-provider.ts';
import {
  askForAccess,
  createTestBrowser,
  locationOf,
  openInteraction,
  readForm,
  signIn,
  type TestBrowser,
  type TestPage,
} from '../support/test-browser.ts';

const wallet = privateKeyToAccount(`0x${'41'.repeat(32)}`);
const linked = privateKeyToAccount(`0x${'4d'.repeat(32)}`);
const password = 'a password that mia chose';
const another = 'another password of mia';

/** A server with every way to sign in, and its people: mia, who is an admin, and leo. */
async function open() {
  const provider = await startIdentityProvider();
  const service = await openTestAuthorization({
    environment: { ...withOwner, ...provider.environment, TRADEWIND_SIGN_UP: 'invited' },
  });
  const admin = await grantToken(service, { scope: 'admin' });
  const manage = manageWith(service, admin.access_token);
  const invite = async (username: string, role = 'member') => {
    const { body } = await manage('POST', '/v1/people', { username, role });
    return { id: String(body.id), link: pathOf(body.inviteUrl) };
  };
  const [mia, leo] = [await invite('mia', 'admin'), await invite('leo')];
  for (const { link } of [mia, leo]) await choosePassword(service, link, password);
  return { service, provider, manage, invite, mia: mia.id };
}

async function openForMia() {
  const world = await open();
  const browser = createTestBrowser(world.service);
  await signInAs(browser, 'mia');
  return { ...world, browser, account: await browser.open('/account') };
}

type World = Awaited<ReturnType<typeof openForMia>>;

const pathOf = (url: unknown) => String(url).slice(issuer.length);

async function choosePassword(service: TestAuthorization, link: string, chosen: string) {
  const browser = createTestBrowser(service);
  const form = link.includes('/invite') ? 'invite' : 'reset';
  const page = await browser.open(link);
  return browser.submit(page, form, { password: chosen, repeated: chosen });
}

async function signInAs(browser: TestBrowser, username: string) {
  const secret = username === 'owner' ? ownerPassword : password;
  return signIn(browser, await browser.open('/account'), { username, password: secret });
}

/** Goes from a page to the identity provider, and returns the address with which it sends the browser back. */
async function visitProvider(
  { browser, provider }: Pick<World, 'browser' | 'provider'>,
  page: TestPage,
) {
  const left = await browser.submit(page, 'third-party');
  const { pathname, search } = await provider.visit(locationOf(left), { login: 'eve' });
  return pathname + search;
}

/** Asks for the message that a wallet signs, and returns what the page sends with the signature. */
async function signMessage(
  { service, browser }: Pick<World, 'service' | 'browser'>,
  page: TestPage,
) {
  const { action, hidden } = readForm(page, 'wallet');
  const answer = await service.request(`${action}/challenge`, {
    method: 'POST',
    headers: { Cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') },
    body: new URLSearchParams({ ...hidden, address: wallet.address, chain_id: '1' }),
  });
  const { nonce = '', message = '' } = (await answer.json()) as Record<string, string>;
  return { nonce, signature: await wallet.signMessage({ message }) };
}

/** Everything that finishing something could change. */
async function stored({ database }: TestAuthorization) {
  const tables = {
    accounts: sql`SELECT account_id, name, role, password_hash FROM accounts ORDER BY account_id`,
    identities: sql`SELECT issuer, subject, account_id FROM account_identities ORDER BY subject`,
    sessions: sql`SELECT session_id, account_id FROM browser_sessions ORDER BY session_id`,
    provider: sql`SELECT session_id, account_id FROM third_party_sessions`,
    grants: sql`SELECT id, scope FROM grants ORDER BY id`,
    clients: sql`SELECT client_id FROM clients ORDER BY client_id`,
  };
  const read = Object.entries(tables).map(async ([name, query]) => [
    name,
    await database.all(query),
  ]);
  return Object.fromEntries(await Promise.all(read)) as Record<string, unknown>;
}

/** Every way in which a session of mia in a browser ends, or in which the browser is that of somebody else by now. */
const endings: Record<string, (world: World) => Promise<unknown>> = {
  'the person signed out': ({ browser, account }) => browser.submit(account, 'sign-out'),
  'the session was ended by its id': async ({ manage, mia }) => {
    const { body } = await manage('GET', `/v1/sessions?person=${mia}`);
    for (const { id } of body.sessions) await manage('DELETE', `/v1/sessions/${id}`);
  },
  'the password was changed elsewhere': async ({ service }) => {
    const elsewhere = createTestBrowser(service);
    const page = await signInAs(elsewhere, 'mia');
    const change = { current: password, password: another, repeated: another };
    expect((await elsewhere.submit(page, 'password', change)).status).toBe(303);
  },
  'the password was changed in the same browser': ({ browser, account }) =>
    browser.submit(account, 'password', {
      current: password,
      password: another,
      repeated: another,
    }),
  'an admin had a new password chosen': async ({ service, manage, mia }) => {
    const { body } = await manage('POST', `/v1/people/${mia}:resetPassword`);
    expect((await choosePassword(service, pathOf(body.resetUrl), another)).status).toBe(303);
  },
  'the person was removed': ({ manage, mia }) => manage('DELETE', `/v1/people/${mia}`),
  'a wallet was unlinked elsewhere': async ({ service }) => {
    const elsewhere = createTestBrowser(service);
    const page = await signInAs(elsewhere, 'mia');
    expect((await elsewhere.submit(page, 'unlink')).status).toBe(303);
  },
  'another person signed in': async ({ browser, account }) => {
    await browser.submit(account, 'sign-out');
    expect((await signInAs(browser, 'leo')).text).toContain('Signed in as leo');
  },
  'another person signed in from a second tab': async ({ service, browser }) => {
    const tab = await openInteraction(browser, (await askForAccess(service)).path);
    const page = await browser.follow(await browser.submit(tab, 'switch'));
    const signedIn = await signIn(browser, page, { username: 'leo', password });
    expect(signedIn.text).toContain('Signed in as <strong>leo');
  },
};

/** Everything that a person begins while signed in; each returns how it is finished. */
const flows: Record<string, (world: World) => Promise<() => Promise<TestPage>>> = {
  'a link at the identity provider, from which the browser comes back': async (world) => {
    const back = await visitProvider(world, world.account);
    return () => world.browser.open(back);
  },
  'a link at the identity provider, whose button is pressed':
    async ({ browser, account }) =>
    () =>
      browser.submit(account, 'third-party'),
  'a link of a wallet, which has signed': async (world) => {
    const signed = await signMessage(world, world.account);
    return () => world.browser.submit(world.account, 'wallet', signed);
  },
  'a consent': async ({ service, browser }) => {
    const page = await openInteraction(browser, (await askForAccess(service)).path);
    return () => browser.submit(page, 'consent', { decision: 'allow' });
  },
  'a consent for a device': async ({ service, browser }) => {
    const { body } = await service.post('/device_authorization', {
      client_id: 'tradewind-command-line',
      scope: 'swap.read',
    });
    const user_code = String(body.user_code);
    const page = await browser.open(`/device?user_code=${user_code}`);
    const consent = await browser.follow(await browser.submit(page, 'code', { user_code }));
    return () => browser.submit(consent, 'consent', { decision: 'allow' });
  },
  'the code of a device, typed in': async ({ service, browser }) => {
    const { body } = await service.post('/device_authorization', {
      client_id: 'tradewind-command-line',
      scope: 'swap.read',
    });
    const user_code = String(body.user_code);
    const page = await browser.open(`/device?user_code=${user_code}`);
    return () => browser.submit(page, 'code', { user_code });
  },
  'the way to the console': async ({ browser }) => {
    const path = await askForConsole(browser);
    return () => browser.open(path, { 'Sec-Fetch-Site': 'cross-site' });
  },
  'the way to the console, to be continued': async ({ browser }) => {
    const page = await browser.open(await askForConsole(browser), {
      'Sec-Fetch-Site': 'cross-site',
    });
    return () => browser.submit(page, 'consent', { decision: 'allow' });
  },
  'a change of the password in a second tab': async ({ browser, account }) => {
    const chosen = 'a password of somebody else';
    const change = { current: password, password: chosen, repeated: chosen };
    return () => browser.submit(account, 'password', change);
  },
  'a wallet to unlink in a second tab':
    async ({ browser, account }) =>
    () =>
      browser.submit(account, 'unlink'),
  'a grant to revoke in a second tab': async ({ browser }) => {
    const account = await browser.open('/account');
    return () => browser.submit(account, 'revoke');
  },
  'an account to add in a second tab':
    async ({ browser, account }) =>
    () =>
      browser.submit(account, 'add-account', { name: 'eve', password, repeated: password }),
  'a client to add in a second tab':
    async ({ browser, account }) =>
    () =>
      browser.submit(account, 'add-client', { name: 'Eve', kind: 'service', redirects: '' }),
};

/** The page of a request of the console, which is not opened. */
async function askForConsole(browser: TestBrowser): Promise<string> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'tradewind-console',
    redirect_uri: `${issuer}/console/callback`,
    code_challenge: createPkce().codeChallenge,
    code_challenge_method: 'S256',
  });
  return locationOf(await browser.open(`/authorize?${query}`));
}

const both = Object.keys(flows).flatMap((flow) =>
  Object.keys(endings).map((ending) => [flow, ending] as const),
);

describe('what was begun in a session', () => {
  test.each(both)('ends with it: %s, after %s [F48]', async (flow, ending) => {
    const world = await openForMia();
    const { service, browser } = world;
    await proveWallet(service, { browser, page: world.account, wallet: linked });
    await grantToken(service, { browser });
    const account = await browser.open('/account');
    const begun = { ...world, account };
    const finish = await flows[flow]?.(begun);
    await endings[ending]?.(begun);
    const before = await stored(service);
    const finished = await finish?.();
    expect(await stored(service)).toEqual(before);
    expect(finished?.text).not.toContain('Signed in as mia');
    expect((await browser.open('/account')).text).not.toContain(
      ending.includes('same browser') ? 'data-form="sign-in"' : 'Signed in as mia',
    );
    if (flow.includes('comes back')) {
      expect([finished?.status, finished?.text]).toEqual([
        403,
        expect.stringContaining('no longer signed in here, so nothing was linked'),
      ]);
    }
  });

  test('is finished in it: a sign-in at the identity provider is linked and leaves the session as it is [F48]', async () => {
    const world = await openForMia();
    const { service, browser } = world;
    const back = await visitProvider(world, world.account);
    const { sessions, provider } = await stored(service);
    const answer = await browser.open(back);
    expect([answer.status, locationOf(answer)]).toEqual([303, '/account']);
    expect(await stored(service)).toMatchObject({ sessions, provider });
    const elsewhere = createTestBrowser(service);
    const again = await visitProvider(
      { ...world, browser: elsewhere },
      await elsewhere.open('/account'),
    );
    const signedIn = await elsewhere.follow(await elsewhere.open(again));
    expect(signedIn.text).toContain('Signed in as mia');
  });

  test('is finished in no other session of the same person [F48]', async () => {
    const world = await openForMia();
    const { service, browser } = world;
    const back = await visitProvider(world, world.account);
    await browser.submit(world.account, 'sign-out');
    await signInAs(browser, 'mia');
    const before = await stored(service);
    expect((await browser.open(back)).status).toBe(403);
    expect(await stored(service)).toEqual(before);
  });
});

describe('an account at the identity provider', () => {
  test('is said not to end the account, and unlinked like a wallet, which signs the person out everywhere else [F48, F54]', async () => {
    const world = await openForMia();
    const { service, browser } = world;
    const shown = await browser.follow(
      await browser.open(await visitProvider(world, world.account)),
    );
    const elsewhere = createTestBrowser(service);
    const back = await visitProvider(
      { ...world, browser: elsewhere },
      await elsewhere.open('/account'),
    );
    await elsewhere.open(back);
    expect((await elsewhere.open('/account')).text).toContain('Signed in as mia');
    expect(shown.text).toContain('Should it end there, every other way');
    expect((await browser.submit(shown, 'unlink')).status).toBe(303);
    const left = await browser.open('/account');
    expect(left.text).toContain('Signed in as mia');
    expect(left.text).not.toContain('data-form="unlink"');
    expect((await elsewhere.open('/account')).text).toContain('<h1>Sign in</h1>');
    const refused = await elsewhere.open(
      await visitProvider({ ...world, browser: elsewhere }, await elsewhere.open('/account')),
    );
    expect(refused.status).toBe(403);
  });

  test('stays linked if nothing else leads to the account [F48]', async () => {
    const { service, provider, invite } = await open();
    const browser = createTestBrowser(service);
    const { link } = await invite('ida');
    const back = await visitProvider({ browser, provider }, await browser.open(link));
    const own = await browser.follow(await browser.open(back));
    const kept = await browser.submit(own, 'unlink');
    expect([kept.status, kept.text]).toEqual([
      400,
      expect.stringContaining('your only way to sign in'),
    ]);
  });
});

/** What an admin gave a person to finish, how it is begun, and how it ends. */
const linkFlows: Record<string, (world: World, link: string) => Promise<() => Promise<TestPage>>> =
  {
    'at the identity provider': async (world, link) => {
      const back = await visitProvider(world, await world.browser.open(link));
      return () => world.browser.open(back);
    },
    'with a wallet': async (world, link) => {
      const page = await world.browser.open(link);
      const signed = await signMessage(world, page);
      return () => world.browser.submit(page, 'wallet', signed);
    },
    'with a password': async ({ browser }, link) => {
      const page = await browser.open(link);
      return () => browser.submit(page, 'invite', { password: another, repeated: another });
    },
  };
type Invited = { readonly id: string; readonly link: string };
const linkEndings: Record<string, (world: World, invited: Invited) => Promise<unknown>> = {
  'the person was removed': ({ manage }, { id }) => manage('DELETE', `/v1/people/${id}`),
  'a newer link was made': ({ manage }, { id }) => manage('POST', `/v1/people/${id}:resetPassword`),
  'the role was changed': ({ manage }, { id }) =>
    manage('PATCH', `/v1/people/${id}`, { role: 'admin' }),
  'the link was used elsewhere': ({ service }, { link }) => choosePassword(service, link, password),
};
const bothOfLinks = Object.keys(linkFlows).flatMap((flow) =>
  Object.keys(linkEndings).map((ending) => [flow, ending] as const),
);

test.each(bothOfLinks)(
  'an invitation that is accepted %s ends with its link: %s [F48]',
  async (flow, ending) => {
    const world = await openForMia();
    const invited = await world.invite('ida');
    const finish = await linkFlows[flow]?.(world, invited.link);
    await linkEndings[ending]?.(world, invited);
    const before = await stored(world.service);
    expect((await finish?.())?.status).toBe(403);
    expect(await stored(world.service)).toEqual(before);
    expect((await world.browser.open('/account')).text).toContain('Signed in as mia');
  },
);
