import { expect, test } from 'vitest';
import { findBarriers, signInAtConsole, startConsole } from '../support/console-browser.ts';
import { useChromium } from '../support/pages-server.ts';

const openPage = useChromium();

test('shows and ends clients, sessions, people and resources, and asks before [K6]', async () => {
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
  await mia.getByLabel('Role of mia').selectOption('admin');
  await page.getByText('mia is admin now.').waitFor();
  await page.getByLabel('Username').fill('mia');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('the name is taken').waitFor();
  expect(await page.getByLabel('Username').inputValue()).toBe('mia');

  await page.getByLabel('Address', { exact: true }).fill('https://crm.example.com/mcp');
  await page.getByLabel('Scopes', { exact: true }).fill('crm.read Read the CRM');
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
  expect(await dialog.textContent()).toContain('mia is signed out of 1 browser');
  await dialog.getByRole('button', { name: 'Remove mia' }).click();
  await mia.waitFor({ state: 'detached' });
  await guest.goto(`${url}/account`);
  expect(await guest.getByText('Signed in as mia').count()).toBe(0);
});
