import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBarriers, signInAtConsole, startConsole } from '../support/console-browser.ts';
import { startClient, useChromium } from '../support/pages-server.ts';
import { testsWith } from '../support/tests-with.ts';

const { test } = testsWith('chromium');

const openPage = useChromium();

test('shows and ends clients, sessions, people and resources, after confirmation [K6]', async () => {
  const { url } = await startConsole();
  const page = await openPage();
  await signInAtConsole(page, `${url}/console/access`);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Access');

  const sessions = page.getByRole('region', { name: 'Sessions' });
  await sessions.getByRole('row', { name: /owner.*Chrome/ }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Tradewind console' }).waitFor();

  await page.getByLabel('Username').fill('mia');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = page.getByRole('group', { name: 'Invite link for mia' });
  const inviteUrl = await link.textContent();
  const guest = await openPage({ javaScriptEnabled: false });
  await guest.goto(String(inviteUrl));
  await guest.getByLabel('New password').fill('a password of mia');
  await guest.getByLabel('The same once more').fill('a password of mia');
  await guest.getByRole('button', { name: 'Set password and sign in' }).click();
  await guest.getByRole('heading', { name: 'Signed in as mia' }).waitFor();

  await page.reload();
  const people = page.getByRole('region', { name: 'People' });
  const mia = people.getByRole('row', { name: /mia/ });
  await mia.getByText('active').waitFor();
  const last = people.getByText('owner is the last owner. A server keeps at least one owner who');
  await last.waitFor();
  await page.setViewportSize({ width: 390, height: 900 });
  // On a narrow page rows are blocks: the sentence about the owner ends above the next person.
  const [told, next] = [await last.boundingBox(), await mia.boundingBox()];
  expect(told!.y + told!.height).toBeLessThanOrEqual(next!.y);
  await page.setViewportSize({ width: 1_200, height: 900 });
  const kept = people.getByRole('button', { name: 'Remove owner' });
  await kept.and(page.locator('[aria-disabled=true]')).waitFor();
  await kept.click({ force: true });
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await people.getByLabel('Role of owner').isDisabled()).toBe(true);
  await mia.getByLabel('Role of mia').selectOption('owner');
  await last.waitFor({ state: 'detached' });
  await people.getByRole('button', { name: 'Remove owner' }).click();
  await page.getByRole('dialog').getByText('This cannot be undone').waitFor();
  await page.keyboard.press('Escape');
  await mia.getByLabel('Role of mia').selectOption('admin');
  await page.getByText('mia is admin now.').waitFor();
  await page.getByLabel('Username').fill('mia');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('This is taken: choose another.', { exact: true }).waitFor();
  await page.locator('input:focus').and(page.getByLabel('Username')).waitFor();
  expect(await page.getByLabel('Username').inputValue()).toBe('mia');

  await page.getByLabel('Address', { exact: true }).fill('crm.example.com');
  await page.getByLabel('Scopes', { exact: true }).fill('crm.read');
  await page.getByRole('button', { name: 'Add resource' }).click();
  const ofScope = 'The description of scope 1 must have 1 to 200 characters.';
  await page.getByText(ofScope, { exact: true }).waitFor();
  await page.getByLabel('Scopes', { exact: true }).fill('crm.read Read the CRM');
  await page.getByRole('button', { name: 'Add resource' }).click();
  const ofAddress =
    '"crm.example.com" must be an http or https URL without fragment and user information.';
  await page.getByText(ofAddress, { exact: true }).waitFor();
  await page.getByLabel('Address', { exact: true }).fill('https://crm.example.com/mcp');
  await page.getByRole('button', { name: 'Add resource' }).click();
  const resource = page.getByRole('listitem').filter({ hasText: 'crm.read' });
  await resource.waitFor();
  for (const width of [390, 1_200]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await findBarriers(page), String(width)).toEqual([]);
  }
  await resource.getByRole('button', { name: /^Remove/ }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.textContent()).toContain('1 scope can no longer be asked for');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await resource.count()).toBe(1);

  await mia.getByRole('button', { name: /^Remove/ }).click();
  expect(await dialog.textContent()).toContain(
    'mia is signed out of 1 browser. This cannot be undone.',
  );
  await dialog.getByRole('button', { name: 'Remove mia' }).click();
  await mia.waitFor({ state: 'detached' });
  await guest.goto(`${url}/account`);
  expect(await guest.getByText('Signed in as mia').count()).toBe(0);
});

test('shows a member only what is their own [K2, K6, K8]', async () => {
  const { url } = await startConsole();
  const page = await openPage();
  await signInAtConsole(page, `${url}/console/subscriptions`);
  await openForm(page, 'New subscription');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('See its deliveries there').waitFor();
  await page.goto(`${url}/console/access`);
  await page.getByLabel('Username').fill('mia');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = page.getByRole('group', { name: 'Invite link for mia' });

  const member = await openPage();
  await member.goto(String(await link.textContent()));
  await member.getByLabel('New password').fill('a password of mia');
  await member.getByLabel('The same once more').fill('a password of mia');
  await member.getByRole('button', { name: 'Set password and sign in' }).click();
  await member.getByRole('link', { name: 'To the console of this server' }).click();
  await member.locator('#session').getByRole('button', { name: 'Sign in' }).click();
  await member.getByRole('button', { name: 'Sign out' }).waitFor();
  await member.goto(`${url}/console/subscriptions`);
  await member.getByRole('heading', { name: 'Your subscriptions' }).waitFor();
  await member.getByText('There is no subscription yet').waitFor();
  await member.goto(`${url}/console/access`);
  await member
    .getByRole('region', { name: 'Sessions' })
    .getByRole('row', { name: /mia/ })
    .waitFor();
  expect(await member.getByText('owner').count()).toBe(0);
  expect(await member.getByRole('region', { name: 'People' }).count()).toBe(0);
  await member.goto(`${url}/console/system`);
  await member.getByText('Your account may not do this').waitFor();
});

test('states how many subscriptions end with a revoked grant [K16]', async () => {
  const { url } = await startConsole();
  const page = await openPage();
  const client = await startClient(url);
  await signInAtConsole(page, `${url}/console/access`);
  const asked = client.ask();
  const other = await page.context().newPage();
  await other.goto(asked.url);
  await other.getByRole('button', { name: 'Allow' }).click();
  await other.getByText('Back at the client').waitFor();
  const code = String(client.answers().at(-1)?.searchParams.get('code'));
  const { access_token } = await client.redeem(code, asked.codeVerifier);
  const created = await fetch(`${url}/v1/subscriptions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      targetResource: '//drive.googleapis.com/files/abc',
      eventTypes: ['google.workspace.drive.file.v3.created'],
      notificationEndpoint: { eventStream: {} },
    }),
  });
  expect(created.status).toBe(200);
  await page.reload();
  await page.getByRole('button', { name: 'Revoke what Weather agent may do' }).click();
  const question = page.getByRole('dialog');
  expect(await question.textContent()).toContain(
    'ends, and 1 subscription that it made for owner will be suspended. Weather agent can ask again; then each suspended subscription can be reactivated.',
  );
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove Weather agent' }).click();
  await question.getByText('1 subscription of it').waitFor();
  await page.keyboard.press('Escape');
  const { response } = (await created.json()) as { response: { name: string } };
  const { status } = await fetch(`${url}/v1/${response.name}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${access_token}` },
  });
  expect(status).toBe(200);
  await page.getByRole('button', { name: 'Revoke what Weather agent may do' }).click();
  await question.getByText('for owner ends. Weather agent can ask again.').waitFor();
});

test('says that the server ended the sign-in of these pages [K11]', async () => {
  const { url } = await startConsole();
  const page = await openPage();
  await signInAtConsole(page, `${url}/console/access`);
  await page.getByRole('button', { name: 'Revoke what Tradewind console may do' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('You were signed out: the server no longer accepts').waitFor();
  await page.reload();
  await page.getByText('Sign in to see what is here').waitFor();
  expect(await page.getByText('You were signed out').count()).toBe(0);
});

test('teaches where there is nothing yet [K17]', async () => {
  const { url } = await startConsole({ TRADEWIND_CHAINS: '' });
  const page = await openPage();
  await page.goto(`${url}/console/access`);
  await page.getByText('Sign in to see what is here').waitFor();
  expect(await gapBetween(page, 'h1', '.empty')).toBeGreaterThanOrEqual(16);
  await signInAtConsole(page, `${url}/console/access`);
  await page.getByText('npx tradewind login').waitFor();
  expect(await gapBetween(page, '.hint:has(code)', '.list strong')).toBeGreaterThanOrEqual(8);
  await page.getByText('Put the guard in front of a server of your own').waitFor();
  await page.goto(`${url}/console/applications`);
  await page.getByText(/npx tradewind applications add crm .* --server http/).waitFor();
  await page.goto(`${url}/console/subscriptions`);
  await page.getByText('tradewind subscribe //').waitFor();
  await page.goto(`${url}/console/events`);
  await page.getByLabel('Filter by type').fill('nothing');
  await page.getByText('Nothing fits the filter').waitFor();
});

test('shows times in the zone of the reader, and where the focus is [K15]', async () => {
  const { url } = await startConsole();
  const page = await openPage({ timezoneId: 'Asia/Kathmandu', locale: 'en-GB' });
  await signInAtConsole(page, `${url}/console/access`);
  const session = page.getByRole('region', { name: 'Sessions' }).locator('time').first();
  const at = new Date(String(await session.getAttribute('datetime')));
  const inZone = at.toLocaleTimeString('en-GB', { timeZone: 'Asia/Kathmandu' });
  expect(await session.textContent()).toContain(inZone.slice(0, 5));
  await page.keyboard.press('Tab');
  const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
  expect(outline).toBe('solid');
});

async function openForm(page: Page, summary: string): Promise<void> {
  await page.locator('summary', { hasText: summary }).click();
  await expect.poll(() => page.getByLabel('Target').inputValue()).not.toBe('');
}

/** The pixels between the end of one element and the beginning of the one below it. */
async function gapBetween(page: Page, above: string, below: string): Promise<number> {
  const upper = await page.locator(above).first().boundingBox();
  const lower = await page.locator(below).first().boundingBox();
  return lower!.y - upper!.y - upper!.height;
}
