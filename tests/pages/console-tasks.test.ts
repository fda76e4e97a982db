import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { signInAtConsole, startConsole } from '../support/console-browser.ts';
import { ownerPassword } from '../support/open-test-authorization.ts';
import { startClient, useChromium } from '../support/pages-server.ts';
import { testsWith } from '../support/tests-with.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const { test } = testsWith('chromium');

const openPage = useChromium();
const type = 'google.workspace.drive.file.v3.created';
const target = '//drive.googleapis.com/files/abc';
/** More tab stops than any page has. */
const mostStops = 150;

/** Moves the focus by the Tab key alone until it is where a person wants it. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  const reached = wanted.and(page.locator(':focus'));
  for (let stops = 0; stops < mostStops; stops += 1) {
    if ((await reached.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key never came to ${wanted}`);
}

async function press(page: Page, wanted: Locator): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press('Enter');
}

async function write(page: Page, wanted: Locator, text: string): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

/** Goes to another page of the console by its navigation. */
async function goTo(page: Page, name: string): Promise<void> {
  await press(page, page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }));
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** A person opens an address and signs in; the focus is in the first field already. */
async function signInByKeyboard(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await press(page, page.locator('#session').getByRole('button', { name: 'Sign in' }));
  await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('owner');
  await page.keyboard.press('Tab');
  await page.keyboard.type(ownerPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.TRADEWIND_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/task-${name}.png`, fullPage: true });
}

test('every task is done from the pages by keyboard alone, and a delivery is seen as it happens [K13, K15]', async () => {
  const { url } = await startConsole({ TRADEWIND_DEVCHAIN: 'auto' });
  const receiver = await startWebhookReceiver((_, index) =>
    index === 0 ? { status: 503, body: 'The queue is full' } : { status: 200, body: 'thank you' },
  );
  const client = await startClient(url);
  const page = await openPage({ viewport: { width: 1_200, height: 900 } });
  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name });

  await signInByKeyboard(page, url);

  // A quote is executed on the development chain.
  await goTo(page, 'Quote');
  await press(page, button('Get quote'));
  await page.getByRole('region', { name: 'You receive' }).waitFor();
  await press(page, button('Execute with a test account'));
  await page.getByText('none, to the last unit').waitFor();
  await keepPicture(page, 'executed');

  // A subscription is made, with a type that the page offers for its target.
  await goTo(page, 'Subscriptions');
  await press(page, page.locator('summary', { hasText: 'New subscription' }));
  await write(page, page.getByLabel('Target'), target);
  await write(page, page.getByLabel('Event types'), 'file.v3.cre');
  await tabTo(page, page.getByRole('checkbox', { name: type, exact: true }));
  await page.keyboard.press('Space');
  expect(await page.getByLabel('Event types').inputValue()).toBe(type);
  await write(page, page.getByLabel('Address'), receiver.url);
  await keepPicture(page, 'subscription-form');
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'Signing secret' }).waitFor();
  await keepPicture(page, 'subscribed');
  await press(page, page.getByRole('link', { name: target }));
  await page.getByText('Live', { exact: true }).waitFor();

  // An event is published in another window, and its delivery appears in the first by itself.
  const other = await page.context().newPage();
  await other.goto(`${url}/console/events`);
  await press(other, other.locator('summary', { hasText: 'Publish an event' }));
  const choice = other.getByLabel('Event type');
  await tabTo(other, choice);
  await choice.locator('option', { hasText: type }).waitFor({ state: 'attached' });
  for (let steps = 0; (await choice.inputValue()) !== type && steps < mostStops; steps += 1)
    await other.keyboard.press('ArrowDown');
  await write(other, other.getByLabel('Subject', { exact: true }), target);
  await other.keyboard.press('Enter');
  await other.getByText(/^Published [0-9a-f]{8}/).waitFor();
  await keepPicture(other, 'published');
  const deliveries = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
  await deliveries.filter({ hasText: 'accepted' }).waitFor();

  // The answer to the attempt that failed is read, and the event is sent again.
  const failed = deliveries.filter({ hasText: '503' });
  await press(page, failed.getByRole('button', { name: /^Details/ }));
  expect(await page.getByRole('group', { name: 'Response' }).textContent()).toBe(
    'The queue is full',
  );
  await keepPicture(page, 'failed');
  await press(page, button(/^Replay/));
  await page.getByText('Queued to be sent again: 1 event.').waitFor();
  await receiver.got(3);

  // A client that was allowed something is revoked.
  const asked = client.ask();
  await other.goto(asked.url);
  await press(other, button('Allow', other));
  await other.getByText('Back at the client').waitFor();
  const code = String(client.answers().at(-1)?.searchParams.get('code'));
  const { refresh_token } = await client.redeem(code, asked.codeVerifier);
  await goTo(page, 'Access');
  await press(page, button('Revoke what Weather agent may do'));
  const dialog = page.getByRole('dialog');
  expect(await dialog.textContent()).toContain('Every token');
  await keepPicture(page, 'revoking');
  await press(page, button('Revoke', dialog));
  await page.getByText('Done.').waitFor();
  // The button disappears with the revoked grant; the focus stays in its section.
  await page.locator('#clients:focus').waitFor();
  expect(await client.refresh(refresh_token)).toBe(400);

  // A member is invited.
  await write(page, page.getByLabel('Username'), 'mia');
  await page.keyboard.press('Enter');
  const link = page.getByRole('group', { name: 'Invite link for mia' });
  expect(await link.textContent()).toContain(url);
  await keepPicture(page, 'invited');
});

test('a newcomer sees a delivery, and a failed one that is replayed, by keyboard and with the prefilled forms [K2, K3, K4, K15, K17]', async () => {
  const { url } = await startConsole();
  const page = await openPage({ viewport: { width: 1_200, height: 900 } });
  const focused = (name: string) => page.getByRole('button', { name }).and(page.locator(':focus'));
  await signInByKeyboard(page, `${url}/console/subscriptions`);
  await press(page, page.locator('summary', { hasText: 'New subscription' }));
  await expect.poll(() => page.getByLabel('Target').inputValue()).not.toBe('');
  const first = await page.getByLabel('Target').inputValue();
  await press(page, page.getByRole('button', { name: 'Create' }));
  await page.getByText('See its deliveries there').waitFor();
  // The form offers another target, since this one is taken, and the focus has not moved.
  await expect.poll(() => page.getByLabel('Target').inputValue()).not.toBe(first);
  await focused('Create').waitFor();
  await page.keyboard.press('Shift+Tab');
  await focused('Use the test receiver that refuses').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const rows = page.getByRole('table', { name: 'Subscriptions' }).getByRole('row');
  await rows.filter({ hasText: 'that refuses' }).waitFor();

  await goTo(page, 'Events');
  await press(page, page.locator('summary', { hasText: 'Publish an event' }));
  await expect.poll(() => page.getByLabel('Subject', { exact: true }).inputValue()).not.toBe('');
  await press(page, page.getByRole('button', { name: 'Publish', exact: true }));
  await page.getByRole('listitem').getByText('accepted').waitFor();
  await page.getByText('answered 200').waitFor();

  await goTo(page, 'Subscriptions');
  await press(page, rows.filter({ hasText: 'that refuses' }).getByRole('link'));
  await press(page, page.getByRole('button', { name: 'Send test event' }));
  const attempts = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
  await press(page, attempts.filter({ hasText: '503' }).getByRole('button').first());
  const response = page.getByRole('group', { name: 'Response' }).first();
  expect(await response.textContent()).toContain('this test receiver takes nothing');
  await press(page, page.getByRole('button', { name: /^Replay/ }).first());
  await page.getByText('Queued to be sent again: 1 event.').waitFor();
});

test('the types of a target are one stop of the Tab key, and a part of a name finds them [K15]', async () => {
  const { url } = await startConsole();
  const page = await openPage({ viewport: { width: 1_200, height: 900 } });
  await signInAtConsole(page, `${url}/console/subscriptions`);
  await press(page, page.locator('summary', { hasText: 'New subscription' }));
  await write(page, page.getByLabel('Target'), target);
  const types = page.getByRole('group', { name: 'Types to choose from' }).getByRole('checkbox');
  await write(page, page.getByLabel('Event types'), 'x');
  const all = await types.count();
  expect(all).toBeGreaterThan(20);
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  expect(await types.nth(1).isChecked()).toBe(true);
  await page.keyboard.press('Tab');
  expect(await page.getByLabel('Send to').evaluate((one) => one.matches(':focus'))).toBe(true);
  await write(page, page.getByLabel('Event types'), 'renamed');
  expect(await types.count()).toBeLessThan(4);
});
