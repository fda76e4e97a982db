import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { authorizationLimits } from '../../src/authorization/limits.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import { grantToken, manageWith } from '../support/grant-token.ts';
import {
  issuer,
  openTestAuthorization,
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
  signIn,
  type TestBrowser,
} from '../support/test-browser.ts';

const newWallet = (byte: string) => privateKeyToAccount(`0x${byte.repeat(32)}`);
const [ada, mia, eve] = [newWallet('41'), newWallet('4d'), newWallet('45')];

async function open(environment: Record<string, string> = {}, { isLoopback = true } = {}) {
  const service = await openTestAuthorization({
    environment: { ...withOwner, TRADEWIND_REGISTRATION: 'open', ...environment },
    isLoopback,
  });
  const invite = async (username: string) => {
    const admin = await grantToken(service, { scope: 'admin' });
    const manage = manageWith(service, admin.access_token);
    const { body } = await manage('POST', '/v1/people', { username });
    return String(body.inviteUrl).slice(issuer.length);
  };
  return { service, invite };
}

async function byWallet(
  service: TestAuthorization,
  wallet: typeof ada,
  path = '/account',
  browser: TestBrowser = createTestBrowser(service),
) {
  const proved = await proveWallet(service, { browser, page: await browser.open(path), wallet });
  return { browser, proved };
}

async function asOwner(service: TestAuthorization) {
  const browser = createTestBrowser(service);
  const page = await signIn(browser, await browser.open('/account'));
  return { browser, page };
}

/** Goes to the identity provider from a page and comes back. */
async function byProvider(
  { service, provider }: { service: TestAuthorization; provider: Provider },
  path = '/account',
  browser: TestBrowser = createTestBrowser(service),
) {
  const left = await browser.submit(await browser.open(path), 'third-party');
  const back = await provider.visit(locationOf(left), { login: 'ada' });
  return { browser, back: await browser.open(back.pathname + back.search) };
}
type Provider = Awaited<ReturnType<typeof startIdentityProvider>>;

/** Everything that a stranger could have left behind. */
async function madeBy({ database }: TestAuthorization) {
  const members = await database.all(sql`SELECT account_id FROM accounts WHERE role = 'member'`);
  const identities = await database.all(sql`SELECT subject FROM account_identities`);
  const sessions = await database.all(sql`SELECT session_id FROM browser_sessions`);
  return [members.length, identities.length, sessions.length];
}

describe('who becomes an account', () => {
  test.each([
    { signUp: undefined, isLoopback: true, wallet: 303, provider: 303 },
    { signUp: undefined, isLoopback: false, wallet: 403, provider: 403 },
    { signUp: 'open', isLoopback: false, wallet: 303, provider: 303 },
    { signUp: 'idp', isLoopback: false, wallet: 403, provider: 303 },
    { signUp: 'idp', isLoopback: true, wallet: 403, provider: 303 },
    { signUp: 'invited', isLoopback: true, wallet: 403, provider: 403 },
  ])(
    'is what TRADEWIND_SIGN_UP=$signUp says, on loopback: $isLoopback [F36, N22]',
    async (given) => {
      const provider = await startIdentityProvider();
      const environment = {
        ...provider.environment,
        ...(given.signUp === undefined ? {} : { TRADEWIND_SIGN_UP: given.signUp }),
      };
      const { service } = await open(environment, given);
      const { proved } = await byWallet(service, eve);
      const { back } = await byProvider({ service, provider });
      expect([proved.status, back.status]).toEqual([given.wallet, given.provider]);
      const made = [given.wallet, given.provider].filter((status) => status === 303).length;
      expect(await madeBy(service)).toEqual([made, made, made]);
      for (const { status, text } of [proved, back]) {
        if (status === 403) expect(text).toContain('ask an admin of this server for one');
      }
    },
  );

  test('is decided on every page on which people sign in [F36, N22]', async () => {
    const { service } = await open({ TRADEWIND_SIGN_UP: 'invited' });
    const asked = await askForAccess(service, { scope: 'events.publish' });
    const browser = createTestBrowser(service);
    const page = await openInteraction(browser, asked.path);
    const refused = await proveWallet(service, { browser, page, wallet: eve });
    expect([refused.status, refused.text.includes('needs an invitation')]).toEqual([403, true]);

    const device = { client_id: 'tradewind-command-line', scope: 'subscriptions.write' };
    const { body } = await service.post('/device_authorization', device);
    const started = await browser.open(`/device?user_code=${String(body.user_code)}`);
    const signInPage = await browser.follow(
      await browser.submit(started, 'code', { user_code: String(body.user_code) }),
    );
    const again = await proveWallet(service, { browser, page: signInPage, wallet: eve });
    expect(again.status).toBe(403);
    expect(await madeBy(service)).toEqual([0, 0, 0]);
  });

  test('keeps its account when the setting changes [F36, N22]', async () => {
    const before = await open({ TRADEWIND_SIGN_UP: 'open' });
    expect((await byWallet(before.service, ada)).proved.status).toBe(303);
    const after = await openTestAuthorization({
      database: before.service.database,
      environment: { TRADEWIND_SIGN_UP: 'invited' },
    });
    const { proved, browser } = await byWallet(after, ada);
    expect((await browser.follow(proved)).text).toContain('Signed in as 0x');
    expect((await byWallet(after, eve)).proved.status).toBe(403);
  });

  test('is whoever follows an invitation, with a wallet instead of a password, once [F36, N22, R8]', async () => {
    const { service, invite } = await open({ TRADEWIND_SIGN_UP: 'invited' });
    const link = await invite('mia');
    const { browser, proved } = await byWallet(service, mia, link);
    expect(proved.message).toContain('Link this wallet to your account at localhost:8787.');
    expect((await browser.follow(proved)).text).toContain('Signed in as mia');
    const late = createTestBrowser(service);
    expect((await late.open(link)).status).toBe(403);
    const next = await byWallet(service, mia);
    expect((await next.browser.follow(next.proved)).text).toContain('Signed in as mia');

    const second = createTestBrowser(service);
    const page = await second.open(await invite('leo'));
    const taken = await proveWallet(service, { browser: second, page, wallet: mia });
    expect([taken.status, taken.text.includes('leads to another account here')]).toEqual([
      400,
      true,
    ]);
    // The invitation is not spent by a refusal, and of two who try at once one gets it.
    const rivals = [createTestBrowser(service), createTestBrowser(service)] as const;
    const tries = await Promise.all(
      [ada, eve].map(async (wallet, index) => {
        const rival = rivals[index] ?? second;
        return proveWallet(service, { browser: rival, page: await rival.open(page.path), wallet });
      }),
    );
    expect(tries.map(({ status }) => status).toSorted()).toEqual([303, 403]);
  });

  test('is whoever follows an invitation and signs in at the identity provider [F36, N22]', async () => {
    const provider = await startIdentityProvider();
    const { service, invite } = await open({
      ...provider.environment,
      TRADEWIND_SIGN_UP: 'invited',
    });
    const { browser, back } = await byProvider({ service, provider }, await invite('mia'));
    expect((await browser.follow(back)).text).toContain('Signed in as mia');
    const again = await byProvider({ service, provider });
    expect((await again.browser.follow(again.back)).text).toContain('Signed in as mia');
  });

  test('has the place in their name where somebody here signs in by the same name [F55]', async () => {
    const provider = await startIdentityProvider();
    const { service, invite } = await open({ ...provider.environment, TRADEWIND_SIGN_UP: 'idp' });
    const { host } = new URL(provider.issuer);
    const shown = async () => {
      const { browser, back } = await byProvider({ service, provider });
      return (await browser.follow(back)).text;
    };
    expect(await shown()).toContain('Signed in as ada of Example<');
    await invite('Ada of Example');
    expect(await shown()).toContain(`Signed in as ada of Example (${host})<`);
  });

  test('links and unlinks wallets on their own page, and always keeps a way to sign in [F36, N22]', async () => {
    const { service, invite } = await open({ TRADEWIND_SIGN_UP: 'invited' });
    const { browser, page } = await asOwner(service);
    const linked = await proveWallet(service, { browser, page, wallet: ada });
    const shown = await browser.follow(linked);
    expect(shown.text).toContain(`Wallet <code>${ada.address.toLowerCase()}`);
    const elsewhere = await byWallet(service, ada);
    expect((await elsewhere.browser.follow(elsewhere.proved)).text).toContain('Signed in as owner');
    await browser.submit(shown, 'unlink');
    expect((await browser.open('/account')).text).not.toContain('Wallet <code>');
    // Like a change of the password, it signs out every other browser.
    expect((await elsewhere.browser.open('/account')).text).toContain('<h1>Sign in</h1>');
    expect((await byWallet(service, ada)).proved.status).toBe(403);

    const only = await byWallet(service, mia, await invite('mia'));
    const own = await only.browser.follow(only.proved);
    const kept = await only.browser.submit(own, 'unlink');
    expect([kept.status, kept.text.includes('your only way to sign in')]).toEqual([400, true]);
    expect((await byWallet(service, mia)).proved.status).toBe(303);
  });

  test('links nothing for another browser, another person or beyond the limit [F36, N22, N5]', async () => {
    const { service } = await open({ TRADEWIND_SIGN_UP: 'invited' });
    const { page, browser } = await asOwner(service);
    const stranger = createTestBrowser(service);
    await stranger.open('/account');
    const attempt = proveWallet(service, { browser: stranger, page, wallet: eve });
    expect((await attempt).status).toBe(403);
    expect(await madeBy(service)).toEqual([0, 0, 1]);
    const { value: most } = authorizationLimits.identitiesOfAccount;
    await service.database.run(sql`
      WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${most})
      INSERT INTO account_identities (issuer, subject, account_id)
      SELECT 'eip155', 'filled ' || n, 'owner' FROM counted`);
    const refused = await proveWallet(service, { browser, page, wallet: ada });
    expect([refused.status, refused.text.includes(`${most} wallets`)]).toEqual([400, true]);
  });
});
