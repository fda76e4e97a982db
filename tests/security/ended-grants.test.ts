import { privateKeyToAccount } from 'viem/accounts';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/kernel/database/open-database.ts';
import { enterDataDirectory } from '../../src/kernel/process/data-directory.ts';
import { createDataDir } from '../support/create-data-dir.ts';
import { grantToken } from '../support/grant-token.ts';
import { openAuthorizedEvents, subscriber } from '../support/open-authorized-events.ts';
import { formText, issuer } from '../support/open-test-authorization.ts';
import { createTestSubscription } from '../support/open-test-events.ts';
import { proveWallet } from '../support/prove-wallet.ts';
import { createTestBrowser, signIn, type TestBrowser } from '../support/test-browser.ts';

const password = 'a password that mia chose';
const another = 'another password of mia';
const wallet = privateKeyToAccount(`0x${'51'.repeat(32)}`);

/** Mia, an admin, and somebody who knows her password: what they allowed a program, and what it subscribed to. */
async function open() {
  const database = await openDatabase({ dataDir: enterDataDirectory(createDataDir()) });
  const world = await openAuthorizedEvents(database);
  const { service, manage } = world;
  const invited = (await manage('POST', '/v1/people', { username: 'mia', role: 'admin' })).body;
  const mia = createTestBrowser(service);
  await chooseBy(mia, invited.inviteUrl, password);
  const intruder = createTestBrowser(service);
  await signIn(intruder, await intruder.open('/account'), { username: 'mia', password });
  const scope = ['admin', 'account.manage', ...subscriber].join(' ');
  const held = await grantToken(service, { browser: intruder, scope });
  const as = world.speakAs({
    ...{ subject: String(invited.id), clientId: held.clientId, isPerson: true },
    scope: subscriber,
  });
  const { name } = await createTestSubscription(world, {}, { as });
  const works = async () => {
    const listed = await service.request('/v1/people', {
      headers: { Authorization: `Bearer ${held.access_token}` },
    });
    const renewed = await service.request('/token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: formText({
        ...{ grant_type: 'refresh_token', client_id: held.clientId },
        refresh_token: held.refresh_token,
      }),
    });
    return [listed.status, renewed.status];
  };
  const reset = async (fields: Record<string, string> = {}) => {
    const { body } = await manage('POST', `/v1/people/${invited.id}:resetPassword`);
    const browser = createTestBrowser(service);
    return { browser, ...(await chooseBy(browser, body.resetUrl, another, fields)) };
  };
  return { ...world, mia, intruder, works, name, reset };
}

async function chooseBy(
  browser: TestBrowser,
  url: unknown,
  chosen: string,
  fields: Record<string, string> = {},
) {
  const page = await browser.open(String(url).slice(issuer.length));
  const form = String(url).includes('/invite') ? 'invite' : 'reset';
  const answer = await browser.submit(page, form, {
    password: chosen,
    repeated: chosen,
    ...fields,
  });
  expect(answer.status, answer.text).toBe(303);
  return { page };
}

const changed = { current: password, password: another, repeated: another };

const ends: Record<string, (world: Awaited<ReturnType<typeof open>>) => Promise<unknown>> = {
  'a password chosen by a reset link': ({ reset }) => reset(),
  'a password that the person changed': async ({ mia }) =>
    mia.submit(await mia.open('/account'), 'password', changed),
  'a wallet that the person unlinked': async ({ service, mia }) => {
    await proveWallet(service, { browser: mia, page: await mia.open('/account'), wallet });
    return mia.submit(await mia.open('/account'), 'unlink');
  },
};

test.each(Object.keys(ends))(
  'ends what somebody else had allowed in the name of the person, and its subscriptions: %s [F86]',
  async (how) => {
    const world = await open();
    expect((await world.works())[0]).toBe(200);
    await ends[how]?.(world);
    expect(await world.works()).toEqual([401, 400]);
    await vi.waitFor(async () =>
      expect(await world.stateOf(world.name)).toBe('SUSPENDED USER_SCOPE_REVOKED'),
    );
    expect((await world.mia.open('/account')).text.includes('Signed in as')).toBe(
      !how.includes('reset'),
    );
  },
);

test('whoever changes their own password may keep what they allowed, and the page says what else ends [F86]', async () => {
  const world = await open();
  const page = await world.mia.open('/account');
  expect(page.text).toContain('everything that you have allowed ends, with its subscriptions');
  await world.mia.submit(page, 'password', { ...changed, keep_allowed: 'yes' });
  expect(await world.works()).toEqual([200, 200]);
  expect(await world.stateOf(world.name)).toBe('ACTIVE');
});

test.each([
  ['unlinks', {}, false],
  ['keeps, if the person says that they are theirs,', { keep_ways: 'yes' }, true],
] as const)(
  'a reset shows what else signs in to the account, and %s it [F86]',
  async (_, fields, isKept) => {
    const world = await open();
    const { service, intruder } = world;
    await proveWallet(service, {
      browser: intruder,
      page: await intruder.open('/account'),
      wallet,
    });
    const { page, browser } = await world.reset(fields);
    expect(page.text).toContain('everything that you have allowed ends, with its subscriptions');
    expect(page.text.toLowerCase()).toContain(wallet.address.toLowerCase());
    const left = await browser.open('/account');
    expect(left.text.includes('data-form="unlink"')).toBe(isKept);
  },
);
