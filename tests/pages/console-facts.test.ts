import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { consolePages } from '../../src/console/pages.ts';
import { signInAtConsole, startConsole } from '../support/console-browser.ts';
import { startClient, useChromium } from '../support/pages-server.ts';
import { testsWith } from '../support/tests-with.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

const { test } = testsWith('chromium');

const openPage = useChromium();
const kept = 4_096;

/** Creates a subscription with a webhook and the form's preset target, and opens it. */
async function subscribe(page: Page, webhook: string): Promise<void> {
  await page.getByText('New subscription').click();
  await expect.poll(() => page.getByLabel('Target').inputValue()).not.toBe('');
  await page.getByLabel('Address').fill(webhook);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('See its deliveries there').getByRole('link').click();
  await page.getByText('Live', { exact: true }).waitFor();
}

test('shows since when a subscription fails [K2], and the first 4 KB of a long response [K3]', async () => {
  const { url } = await startConsole();
  const body = `${'r'.repeat(kept)}what is cut off`;
  const receiver = await startWebhookReceiver(() => ({ status: 503, body }));
  const page = await openPage();
  await signInAtConsole(page, `${url}/console/subscriptions`);
  await subscribe(page, receiver.url);
  const before = Date.now();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await receiver.got(1);

  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  await deliveries
    .getByRole('button', { name: /^Details/ })
    .first()
    .click();
  const response = page.getByRole('group', { name: 'Response' });
  expect(await response.textContent()).toBe('r'.repeat(kept));
  await page.getByText('The first 4 KB; there was more.').waitFor();

  await page.goto(`${url}/console/subscriptions`);
  const row = page.getByRole('table', { name: 'Subscriptions' }).getByRole('row').nth(1);
  await row.getByText('failing', { exact: true }).waitFor();
  const since = row.getByText(/^since /).locator('time');
  const at = Date.parse(String(await since.getAttribute('datetime')));
  // The time of the first failure, not of the newest. The server's clock may differ a little from this one.
  expect(at).toBeGreaterThan(before - 1_000);
  expect(at).toBeLessThan(Date.now() + 1_000);
  // At a width between phone and desktop no column overflows.
  await page.setViewportSize({ width: 800, height: 900 });
  const table = page.getByRole('group', { name: 'Subscriptions' });
  expect(await table.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});

test('shows the scopes of a client, and when it last used them [K6]', async () => {
  const { url } = await startConsole();
  const client = await startClient(url);
  const page = await openPage();
  await signInAtConsole(page, `${url}/console/access`);
  const asked = client.ask();
  const before = Date.now();
  await page.goto(asked.url);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Back at the client').waitFor();
  const code = String(client.answers().at(-1)?.searchParams.get('code'));
  await client.redeem(code, asked.codeVerifier);
  await page.goto(`${url}/console/access`);
  const agent = page.getByRole('listitem').filter({ hasText: 'Weather agent' });
  await agent.getByText('May use').waitFor();
  for (const scope of ['swap.read', 'subscriptions.read', 'subscriptions.write'])
    expect(await agent.getByText(scope, { exact: true }).count(), scope).toBe(1);
  const grant = agent.getByText(/last used/);
  const used = Date.parse(String(await grant.locator('time').getAttribute('datetime')));
  expect(used).toBeGreaterThan(before - 1_000);
  expect(used).toBeLessThan(Date.now() + 1_000);
});

test('has a shell that is readable without scripts, and libraries identical to those of their packages [K10]', async () => {
  const { url } = await startConsole();
  const page = await openPage({ javaScriptEnabled: false });
  const named = consolePages.filter(({ navigation }) => navigation !== undefined);
  for (const { path, heading } of named) {
    await page.goto(url + path);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    expect(await links.allTextContents(), path).toEqual(named.map((one) => one.navigation));
    const current = page.locator('nav [aria-current=page]');
    expect(await current.getAttribute('href')).toBe(path);
    // The reference is complete without scripts; the other pages say what to do instead.
    const instead = page.locator('noscript p', { hasText: 'This page needs scripts' });
    expect(await instead.count(), path).toBe(path === '/docs' ? 0 : 1);
  }
  await page.goto(`${url}/docs`);
  const quote = page.getByRole('group', { name: /^Quote a swap GET/ });
  await quote.getByRole('heading', { name: /^Quote a swap/ }).click();
  await quote.getByRole('columnheader', { name: 'Meaning' }).waitFor();
  execFileSync(process.execPath, ['scripts/console-vendor.ts', '--check'], { stdio: 'pipe' });
});
