import { Hono } from 'hono';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AuthorizationError } from '../../src/authorization/authorization-error.ts';
import { authorizationLimits } from '../../src/authorization/limits.ts';
import { createFailureLimit } from '../../src/authorization/people/accounts/failure-limit.ts';
import { createPasswords } from '../../src/authorization/people/accounts/passwords.ts';
import { signInByPassword } from '../../src/authorization/people/accounts/sign-in-by-password.ts';
import { createBrowsers } from '../../src/authorization/people/browsers.ts';
import { noOtherWays } from '../../src/authorization/people/pages/other-ways.ts';
import { createShowSignIn } from '../../src/authorization/people/pages/sign-in.ts';
import { accountPlace } from '../../src/authorization/people/place.ts';
import { formKeyOf } from '../../src/authorization/people/posted-form.ts';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import type { EdgeEnv } from '../../src/kernel/edge/mount.ts';
import { createRateLimiter } from '../../src/kernel/edge/rate-limiter.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { countQueries } from '../support/count-queries.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import {
  issuer,
  openTestAuthorization,
  ownerPassword,
  type TestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';
import {
  askForAccess,
  createTestBrowser,
  openInteraction,
  readForm,
  signIn,
  type TestBrowser,
  type TestPage,
} from '../support/test-browser.ts';

const open = (environment: Record<string, string> = withOwner) =>
  openTestAuthorization({ environment });

const wrong = { username: 'owner', password: 'not-the-password' };

describe('signing in by password', () => {
  test('keeps passwords as argon2id and cookies as hashes [R7]', async () => {
    const service = await open();
    const browser = createTestBrowser(service);
    await signIn(browser, await browser.open('/account'));
    const [account] = await service.database.all<{ password_hash: string }>(
      sql`SELECT password_hash FROM accounts`,
    );
    expect(account?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const dump = await dumpOf(service);
    expect(dump).not.toContain(ownerPassword);
    for (const cookie of browser.cookies.values()) expect(dump).not.toContain(cookie);
  });

  test('says the same and does the same work whether the name or the password is wrong [R7]', async () => {
    const service = await open();
    const browser = createTestBrowser(service);
    const page = await browser.open('/account');
    const answers = [
      await browser.submit(page, 'sign-in', wrong),
      await browser.submit(page, 'sign-in', { ...wrong, username: 'nobody' }),
    ];
    const said = answers.map(({ status, text }) => [
      status,
      /role="alert">([^<]*)/.exec(text)?.[1],
    ]);
    expect(said[0]).toEqual(said[1]);
    expect(said[0]?.[0]).toBe(403);
    const passwords = createPasswords();
    expect(await passwords.verify('anything', undefined)).toBe(false);
  });

  test('limits failures of a name from one caller and keeps nobody else out [R6]', async () => {
    const service = await open();
    const attacker = from(service, '203.0.113.5');
    const page = await attacker.open('/account');
    for (let tries = 0; tries < 11; tries += 1) await attacker.submit(page, 'sign-in', wrong);
    const right = { username: 'owner', password: ownerPassword };
    const refused = await attacker.submit(page, 'sign-in', right);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const owner = from(service, '198.51.100.7');
    expect((await signIn(owner, await owner.open('/account'))).text).toContain(
      'Signed in as owner',
    );
    service.clock.advance(60_000);
    expect((await attacker.submit(page, 'sign-in', right)).status).toBe(303);
  });

  test('lets through no more tries that come at the same time [R6]', async () => {
    const service = await open();
    const browser = createTestBrowser(service);
    const page = await browser.open('/account');
    const tries = Array.from({ length: 40 }, () => browser.submit(page, 'sign-in', wrong));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(11);
    expect(statuses.filter((status) => status === 429)).toHaveLength(29);
  });

  test('lets through no more tries under many names that come at the same time [R6]', async () => {
    const service = await open();
    const browser = createTestBrowser(service);
    const page = await browser.open('/account');
    const tries = Array.from({ length: 80 }, (_, count) =>
      browser.submit(page, 'sign-in', { ...wrong, username: `name-${count}` }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(61);
    expect(statuses.filter((status) => status === 429)).toHaveLength(19);
  });

  test('lets many callers who fail keep nobody else from signing in [F9]', async () => {
    const passwords = createPasswords();
    const afterFailure = Array.from({ length: 100 }, () =>
      passwords.verify('not-the-password', undefined, 'afterFailure'),
    );
    const others = passwords.verify('not-the-password', undefined);
    const { value: mostWaiting } = authorizationLimits.passwordsWaitingAfterFailure;
    const { value: atOnce } = authorizationLimits.passwordsAtOnce;
    const ended = await Promise.allSettled(afterFailure);
    const hashed = ended.filter(({ status }) => status === 'fulfilled');
    expect(hashed).toHaveLength(mostWaiting + atOnce);
    expect(ended.at(-1)).toMatchObject({ reason: { code: 'temporarily_unavailable' } });
    expect(await others).toBe(false);
  });

  test('has a caller wait behind others for a minute after a failure, and no longer [F9]', async () => {
    const { database, clock } = await open();
    const lanes: string[] = [];
    let isFull = false;
    const passwords = {
      ...createPasswords(),
      async verify(password: string, _hash: string | undefined, lane = 'first') {
        lanes.push(lane);
        if (isFull) throw new AuthorizationError('temporarily_unavailable', 'Too many: wait.');
        return password === ownerPassword;
      },
    };
    const limit = (name: string) =>
      createFailureLimit(createRateLimiter({ database, clock, name, perMinute: 60 }), clock);
    const [byName, byCaller] = [limit('name'), limit('caller')];
    const attempt = signInByPassword({ database, passwords, byName, byCaller });
    const tryAs = (callerKey: string, password: string) =>
      attempt({ username: 'owner', password, callerKey }).then(
        () => 'signed in',
        ({ code }: AuthorizationError) => code,
      );
    expect(await tryAs('mallory', 'wrong')).toBe('access_denied');
    expect(await tryAs('mallory', ownerPassword)).toBe('signed in');
    expect(await tryAs('owner', ownerPassword)).toBe('signed in');
    clock.advance(59_999);
    isFull = true;
    expect(await tryAs('mallory', 'wrong')).toBe('temporarily_unavailable');
    // The refusal counts as a failure of the caller that had failed before, and of no other.
    clock.advance(59_999);
    expect(await tryAs('mallory', 'wrong')).toBe('temporarily_unavailable');
    for (let times = 0; times < 2; times++) {
      expect(await tryAs('owner', ownerPassword)).toBe('temporarily_unavailable');
    }
    clock.advance(60_000);
    isFull = false;
    expect(await tryAs('mallory', ownerPassword)).toBe('signed in');
    expect(lanes).toEqual([
      ...['first', 'afterFailure', 'first'],
      ...['afterFailure', 'afterFailure', 'first', 'first'],
      'first',
    ]);
  });

  test('answers 503 with the time to wait where too many wait to sign in [F9]', async () => {
    const refusal = new AuthorizationError('temporarily_unavailable', 'Too many: wait.');
    const frame = { place: accountPlace, cookie: 'c'.repeat(43) };
    const show = createShowSignIn({
      interactions: { find: async () => undefined },
      database: (await open()).database,
      otherWays: noOtherWays,
    });
    const page = await show({ ...frame, refusal });
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await page.text()).toContain('role="alert">Too many: wait.');
    const denied = await show({
      ...frame,
      refusal: new AuthorizationError('access_denied', 'No.'),
    });
    expect([denied.status, denied.headers.get('retry-after')]).toEqual([403, null]);
  });

  test('limits nobody who knows the password', async () => {
    const service = await open();
    for (let times = 0; times < 25; times += 1) {
      const browser = createTestBrowser(service);
      await signIn(browser, await browser.open('/account'));
    }
  });

  test('gives a cookie that no script reads, and no form of another site sends', async () => {
    const service = await open();
    const { headers } = await createTestBrowser(service).open('/account');
    expect(headers.get('set-cookie')).toMatch(
      /^tradewind-8787=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  test('gives a cookie that no other host and no plain HTTP can set where there is HTTPS', async () => {
    const { database, clock } = await open();
    const browsers = createBrowsers({
      publicUrl: new URL('https://tradewind.example'),
      database,
      clock,
      random: systemRandom,
      sessionStatus: { isAlive: async () => false },
      idleTime: 1_000,
      lifetime: 1_000,
    });
    const app = new Hono<EdgeEnv>();
    app.get('/', async (c) => c.text((await browsers.read(c)).cookie));
    expect((await app.request('/')).headers.get('set-cookie')).toMatch(
      /^__Host-tradewind=[\w-]{43}; Max-Age=1; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('ends a session that is idle or old', async () => {
    const service = await open({
      ...withOwner,
      TRADEWIND_SESSION_IDLE: '1h',
      TRADEWIND_SESSION_LIFETIME: '3h',
    });
    const browser = createTestBrowser(service);
    const isSignedIn = async () =>
      (await browser.open('/account')).text.includes('Signed in as owner');
    await signIn(browser, await browser.open('/account'));
    for (let half = 0; half < 5; half += 1) {
      service.clock.advance(30 * 60_000);
      expect(await isSignedIn()).toBe(true);
    }
    service.clock.advance(30 * 60_000);
    expect(await isSignedIn()).toBe(false);
    await signIn(browser, await browser.open('/account'));
    service.clock.advance(60 * 60_000);
    expect(await isSignedIn()).toBe(false);
  });

  test('leads to the set-up link while the owner has no password', async () => {
    const service = await open({});
    const browser = createTestBrowser(service);
    const page = await browser.open('/account');
    expect(page.text).toContain('has no password yet');
    const answer = await browser.submit(page, 'sign-in', {
      username: 'owner',
      password: '12345678',
    });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('open the set-up link');
  });

  test('works by the set-up link once, and by no other secret', async () => {
    const service = await open({});
    const link = service.authorization.setUpLink?.slice(issuer.length) ?? '';
    const browser = createTestBrowser(service);
    expect((await browser.open('/account/set-up?secret=guessed')).status).toBe(403);
    const page = await browser.open(link);
    const password = 'a new long password';
    const short = await browser.submit(page, 'set-up', { password: 'short', repeated: 'short' });
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('from 8 to 256')]);
    const differing = await browser.submit(page, 'set-up', { password, repeated: 'another one' });
    expect(differing.text).toContain('passwords differ');
    const done = await browser.submit(page, 'set-up', { password, repeated: password });
    expect((await browser.follow(done)).text).toContain('Signed in as owner');
    const again = createTestBrowser(service);
    const used = await again.open(link);
    expect(used.status).toBe(403);
    expect(used.text).toContain('<a href="/account">Sign in</a>');
    expect(await dumpOf(service)).not.toContain(new URL(link, issuer).searchParams.get('secret'));
  });

  test('takes the password of the settings for the owner, also when it has changed', async () => {
    const { database } = await open();
    const environment = { TRADEWIND_OWNER_PASSWORD: 'a changed password' };
    const service = await openTestAuthorization({ database, environment });
    expect(service.authorization.setUpLink).toBeUndefined();
    const browser = createTestBrowser(service);
    const page = await browser.open('/account');
    const old = { username: 'owner', password: ownerPassword };
    expect((await browser.submit(page, 'sign-in', old)).status).toBe(403);
    const changed = { username: 'owner', password: 'a changed password' };
    expect((await browser.submit(page, 'sign-in', changed)).status).toBe(303);
  });
});

describe('the account page', () => {
  test('shows what was allowed and revokes it', async () => {
    const service = await open();
    const browser = createTestBrowser(service);
    const { path } = await askForAccess(service, { name: 'Weather agent' });
    const consent = await signIn(browser, await openInteraction(browser, path));
    await browser.submit(consent, 'consent', { decision: 'allow' });
    const account = await browser.open('/account');
    expect(account.text).toContain('Weather agent');
    const after = await browser.follow(await browser.submit(account, 'revoke'));
    expect(after.text).toContain('Nothing yet. Programs that you allow');
  });

  test('shows and revokes what was allowed to a client whose document is gone [L4]', async () => {
    const service = await open();
    const clientId = 'https://127.0.0.1/client.json';
    await service.database.run(sql`
      INSERT INTO grants (id, account_id, client_id, scope, resources, created_at, expires_at)
      VALUES ('g', 'owner', ${clientId}, 'admin', ${JSON.stringify([issuer])}, 0, ${service.clock.now() + 60_000})`);
    const browser = createTestBrowser(service);
    const account = await signIn(browser, await browser.open('/account'));
    expect(account.text).toContain(clientId);
    expect(account.text).toMatch(
      /since <time datetime="[\d-]+T[\d:]+\.\d{3}Z">[\d-]+ [\d:]+ UTC<\/time>/,
    );
    const after = await browser.follow(await browser.submit(account, 'revoke'));
    expect(after.text).toContain('Nothing yet. Programs that you allow');
  });

  test('reads as much for a thousand grants as for a hundred, each client once, and tells of older ones [N11]', async () => {
    const { database, count } = countQueries(await openDatabase({ dataDir: createDataDir() }));
    onTestFinished(() => database.close());
    const service = await openTestAuthorization({ database, environment: withOwner });
    const browser = createTestBrowser(service);
    await signIn(browser, await browser.open('/account'));
    const look = async () => {
      const before = { ...count };
      const page = await browser.open('/account');
      const shown = page.text.match(/data-form="revoke"/g)?.length;
      const asked = { queries: count.queries - before.queries, rows: count.rows - before.rows };
      return { page, shown, asked };
    };
    const { client_id: clientId } = await service.register();
    const fill = async (from: number, to: number) => {
      for (let n = from; n < to; n++) {
        await database.run(sql`
          INSERT INTO grants (id, account_id, client_id, scope, resources, created_at, expires_at)
          VALUES (${`g${n}`}, 'owner', ${clientId ?? ''}, 'swap.read', '', ${n}, ${service.clock.now() + 60_000})`);
      }
    };
    await fill(0, 100);
    const hundred = await look();
    expect(hundred.shown).toBe(100);
    expect(hundred.page.text).not.toContain('These are the newest');
    await fill(100, 1_000);
    const thousand = await look();
    expect(thousand.shown).toBe(100);
    expect(thousand.page.text).toContain('These are the newest 100.');
    expect(thousand.page.text).toContain('value="g999"');
    const { queries, rows } = hundred.asked;
    expect(thousand.asked).toEqual({ queries, rows: rows + 1 });
    expect(queries).toBeLessThan(10);

    // A person can also revoke a grant that is not shown, by its id, but no other person's grant.
    await database.run(sql`UPDATE grants SET account_id = 'other' WHERE id = 'g1'`);
    const before = count.rows;
    for (const grant of ['g0', 'g1']) await browser.submit(thousand.page, 'revoke', { grant });
    expect(count.rows - before).toBeLessThan(10);
    expect(await database.all(sql`SELECT id FROM grants WHERE created_at < 3 ORDER BY id`)).toEqual(
      [{ id: 'g1' }, { id: 'g2' }],
    );
  });

  test('is limited in views and forms per minute and caller [N5]', async () => {
    const service = await open();
    const browser = createTestBrowser(service);
    const page = await signIn(browser, await browser.open('/account'));
    const { value: limit } = authorizationLimits.accountRequests;
    const statuses = new Set<number>();
    for (let n = 0; n < limit - 10; n++) statuses.add((await browser.open('/account')).status);
    expect([...statuses]).toEqual([200]);
    for (let n = 0; n < 10; n++) await browser.open('/account');
    expect((await browser.open('/account')).status).toBe(429);
    expect((await browser.submit(page, 'sign-out')).status).toBe(429);
    service.clock.advance(60_000);
    expect((await browser.submit(page, 'sign-out')).status).toBe(303);
  });

  test('lets the owner make clients by hand where registration is off [S10]', async () => {
    const service = await open({ ...withOwner, TRADEWIND_REGISTRATION: 'off' });
    const browser = createTestBrowser(service);
    const account = await signIn(browser, await browser.open('/account'));
    const made = await browser.submit(account, 'add-client', {
      name: 'By hand',
      kind: 'confidential',
      redirects: 'https://app.example.com/back',
      'scope:swap.read': 'yes',
    });
    const [id, secret] = [...made.text.matchAll(/<dd><code>([^<]+)/g)].map(([, text]) => text);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect((await browser.open('/account')).text).toContain(id);
    const bad = { name: 'Bad', kind: 'public', redirects: 'http://app.example.com/' };
    const refused = await browser.submit(account, 'add-client', bad);
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(/<details open\s*><summary>Add a client/);
    expect(refused.text).toContain('>http://app.example.com/</textarea>');
  });

  test('shows people and clients to the owner alone', async () => {
    const service = await open();
    const owner = createTestBrowser(service);
    const page = await signIn(owner, await owner.open('/account'));
    expect(page.text).toContain(
      'No client was added, and none registered itself. The programs of this server are not listed.',
    );
    for (const word of ['>People<', '>Add a person<', '>Username<', 'href="/console/access"']) {
      expect(page.text).toContain(word);
    }
    const password = 'another-long-one';
    await owner.submit(page, 'add-account', { name: 'Ada', password, repeated: password });
    const ada = createTestBrowser(service);
    const own = await signIn(ada, await ada.open('/account'), { username: 'ada', password });
    expect(own.text).toContain('Signed in as ada');
    expect(own.text).not.toContain('add-account');
    const cookie = String([...ada.cookies.values()][0]);
    const key = formKeyOf(cookie, { form: 'add-client', place: 'account' });
    const forged = { ...own, text: own.text.replaceAll('sign-out', 'add-client') };
    const asOwner = { form_key: key, name: 'Mine', kind: 'service', 'scope:swap.read': 'yes' };
    expect((await ada.submit(forged, 'add-client', asOwner)).text).toContain('Only an admin');
    const listed = await owner.open('/account');
    await owner.submit(listed, 'remove-account');
    expect((await ada.open('/account')).text).toContain('data-form="sign-in"');
  });

  test('changes a password with the current one only, and signs out other browsers', async () => {
    const service = await open();
    const [one, other] = [createTestBrowser(service), createTestBrowser(service)];
    await signIn(other, await other.open('/account'));
    const page = await signIn(one, await one.open('/account'));
    const password = 'the next long one';
    const change = { password, repeated: password };
    const refused = await one.submit(page, 'password', { ...change, current: 'guessed it' });
    expect(refused.text).toContain('was not changed');
    await one.submit(page, 'password', { ...change, current: ownerPassword });
    expect((await one.open('/account')).text).toContain('Signed in as owner');
    expect((await other.open('/account')).text).toContain('data-form="sign-in"');
  });

  test('limits guesses at the current password as those at sign-in [R6]', async () => {
    const service = await open();
    const browser = createTestBrowser(service);
    const page = await signIn(browser, await browser.open('/account'));
    const password = 'the next long one';
    const guess = { password, repeated: password, current: 'guessed it' };
    for (let tries = 0; tries < 11; tries += 1) await browser.submit(page, 'password', guess);
    const right = { ...guess, current: ownerPassword };
    expect((await browser.submit(page, 'password', right)).status).toBe(429);
    service.clock.advance(60_000);
    expect((await browser.submit(page, 'password', right)).status).toBe(303);
  });
});

describe('signing in by wallet', () => {
  const wallet = privateKeyToAccount(`0x${'42'.repeat(32)}`);

  async function challenge(browser: TestBrowser, page: TestPage, service: TestAuthorization) {
    const { action, hidden } = readForm(page, 'wallet');
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await service.request(`${action}/challenge`, {
      method: 'POST',
      headers: { Cookie: cookie },
      body: new URLSearchParams({
        form_key: String(hidden.form_key),
        address: wallet.address.toLowerCase(),
        chain_id: '31337',
      }),
    });
    return (await response.json()) as { nonce: string; message: string };
  }

  test('makes an account at the first sign-in and finds it at the next', async () => {
    const service = await open();
    const names = [];
    for (let times = 0; times < 2; times += 1) {
      const browser = createTestBrowser(service);
      const { path } = await askForAccess(service);
      const page = await openInteraction(browser, path);
      const { nonce, message } = await challenge(browser, page, service);
      expect(message).toContain(
        `localhost:8787 wants you to sign in with your Ethereum account:\n`,
      );
      expect(message).toContain(`URI: ${issuer}\nVersion: 1\nChain ID: 31337\nNonce: ${nonce}\n`);
      expect(await dumpOf(service)).not.toContain(nonce);
      const signature = await wallet.signMessage({ message });
      const consent = await browser.follow(
        await browser.submit(page, 'wallet', { nonce, signature }),
      );
      names.push(/Signed in as <strong>([^<]+)/.exec(consent.text)?.[1]);
    }
    const short = `${wallet.address.slice(0, 6)}…${wallet.address.slice(-4)}`;
    expect(names).toEqual([short, short]);
    const accounts = sql`SELECT account_id FROM accounts WHERE role = 'member'`;
    expect(await service.database.all(accounts)).toHaveLength(1);
  });

  test('refuses a signature over another message, by another wallet, late or a second time [R8]', async () => {
    const service = await open();
    const browser = createTestBrowser(service);
    const page = await browser.open('/account');
    const tryWith = async (
      change: (given: { nonce: string; message: string }) => Promise<Record<string, string>>,
    ) => {
      const given = await challenge(browser, page, service);
      return (await browser.submit(page, 'wallet', await change(given))).status;
    };
    const sign = (message: string) => wallet.signMessage({ message });
    const stranger = privateKeyToAccount(`0x${'43'.repeat(32)}`);
    const changes: [string, string][] = [
      ['localhost:8787', 'evil.example'],
      ['Chain ID: 31337', 'Chain ID: 1'],
      [`URI: ${issuer}`, 'URI: https://evil.example'],
    ];
    for (const [before, after] of changes) {
      expect(
        await tryWith(async ({ nonce, message }) => ({
          nonce,
          signature: await sign(message.replace(before, after)),
        })),
      ).toBe(403);
    }
    expect(
      await tryWith(async ({ nonce, message }) => ({
        nonce,
        signature: await stranger.signMessage({ message }),
      })),
    ).toBe(403);
    expect(await tryWith(async ({ nonce }) => ({ nonce, signature: `0x${'0'.repeat(130)}` }))).toBe(
      403,
    );
    expect(
      await tryWith(async ({ nonce, message }) => {
        const signature = await sign(message);
        service.clock.advance(5 * 60_000);
        return { nonce, signature };
      }),
    ).toBe(403);
    const { nonce, message } = await challenge(browser, page, service);
    const signature = await sign(message);
    const cookies = new Map(browser.cookies);
    expect((await browser.submit(page, 'wallet', { nonce, signature })).status).toBe(303);
    const replaying = createTestBrowser(service);
    for (const [name, value] of cookies) replaying.cookies.set(name, value);
    expect((await replaying.submit(page, 'wallet', { nonce, signature })).status).toBe(403);
  });

  test('can be switched off', async () => {
    const service = await open({ ...withOwner, TRADEWIND_WALLET_SIGN_IN: 'off' });
    const page = await createTestBrowser(service).open('/account');
    expect(page.text).not.toContain('wallet');
    expect(page.headers.get('content-security-policy')).not.toContain('script-src');
    expect((await service.request('/account/wallet', { method: 'POST' })).status).toBe(404);
  });
});

/** A browser at another address. */
function from(service: TestAuthorization, remoteAddress: string): TestBrowser {
  const connection = { remoteAddress, encrypted: false };
  return createTestBrowser({ request: (path, init) => service.request(path, init, connection) });
}

/** All rows of the tables of people, as a thief of the database would read them. */
async function dumpOf({ database }: TestAuthorization): Promise<string> {
  const tables = await Promise.all([
    database.all(sql`SELECT * FROM accounts`),
    database.all(sql`SELECT * FROM browser_sessions`),
    database.all(sql`SELECT * FROM set_up_secrets`),
    database.all(sql`SELECT * FROM wallet_challenges`),
  ]);
  return JSON.stringify(tables);
}
