import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { signInAtConsole, startConsole } from '../support/console-browser.ts';
import { useChromium } from '../support/pages-server.ts';
import { testsWith } from '../support/tests-with.ts';

const { test } = testsWith('chromium');

const openPage = useChromium();

test('the home page shows the services and their health, and its quote form leads to the answer [K1]', async () => {
  const { url } = await startConsole({ TRADEWIND_DEVCHAIN: 'auto' });
  const page = await openPage();
  await page.goto(url);
  await page.getByRole('heading', { level: 1, name: 'Tradewind', exact: true }).waitFor();
  await page.getByRole('region', { name: 'Health' }).getByText('healthy').waitFor();
  const runs = page.getByRole('region', { name: 'What runs here' });
  for (const name of ['Swap quotes', 'Authorization', 'Change notifications', 'Tools for agents']) {
    await runs.getByRole('heading', { name }).waitFor();
  }
  const agents = page.getByRole('region', { name: 'Add to my agent' });
  expect(await agents.getByRole('link', { name: 'Add to Cursor' }).getAttribute('href')).toContain(
    encodeURIComponent(Buffer.from(JSON.stringify({ url: `${url}/mcp` })).toString('base64')),
  );
  await page.getByLabel('Amount').fill('2');
  await page.getByLabel('Sender').fill('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
  await page.getByRole('button', { name: 'Get quote' }).click();
  await page.waitForURL(/\/console\/quote\?/);
  await page.getByRole('region', { name: 'You receive' }).getByText('for 2 ETH').waitFor();
});

test('the reference finds operations, sends them as the signed-in person, and asks before a removal [K9, K16]', async () => {
  const { url } = await startConsole();
  const page = await openPage();
  await signInAtConsole(page, `${url}/docs`);
  await page.getByRole('searchbox', { name: 'Search' }).fill('list subscriptions');
  await page.getByRole('group', { name: 'Quote a swap' }).waitFor({ state: 'hidden' });
  await page.getByRole('status').getByText('operation').waitFor();
  const list = page.getByRole('group', { name: /GET \/v1\/subscriptions$/ });
  await list.getByRole('heading').click();
  await list.getByText('Try it').click();
  await list.getByLabel('filter').fill('event_types:"google.workspace.chat.message.v1.created"');
  await list.getByRole('button', { name: 'Send GET' }).click();
  expect(
    JSON.parse(String(await list.getByRole('group', { name: 'Answer' }).textContent())),
  ).toEqual({
    subscriptions: [],
  });

  await page.getByRole('searchbox', { name: 'Search' }).fill('delete a subscription');
  const removal = page.getByRole('group', { name: /DELETE \/v1\/subscriptions\/\{/ });
  await removal.getByRole('heading').click();
  await removal.getByText('Try it').click();
  await removal.locator('input').first().fill('nothing');
  await removal.getByRole('button', { name: 'Send DELETE' }).click();
  const question = page.getByRole('dialog', { name: 'Send this DELETE?' });
  expect(await question.textContent()).toContain('/v1/subscriptions/nothing');
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await removal.getByRole('group', { name: 'Answer' }).count()).toBe(0);
  await removal.getByRole('button', { name: 'Send DELETE' }).click();
  await question.getByRole('button', { name: 'Send DELETE' }).click();
  const answer = removal.getByRole('group', { name: 'Answer' });
  expect(JSON.parse(String(await answer.textContent())).error.status).toBe('NOT_FOUND');
});

test('the outcome of an action is visible, even in a low window [K18]', async () => {
  const { url } = await startConsole();
  const page = await openPage({ viewport: { width: 1_200, height: 420 } });
  const press = (name: string | RegExp) => page.getByRole('button', { name }).press('Enter');
  await page.goto(`${url}/docs#getSwapQuote`);
  const quote = page.locator('details.operation', { has: page.locator('#getSwapQuote') });
  await quote.getByText('Try it').press('Enter');
  expect(await quote.getByLabel('amount', { exact: true }).inputValue()).toBe(
    '1000000000000000000',
  );
  // This server has no chain, so the form has no preset chain id.
  await quote.getByLabel('chainId').fill('1');
  await quote.getByLabel('chainId').press('Enter');
  await expectInSight(quote.getByRole('status').filter({ hasText: /^4\d\d/ }));

  await signInAtConsole(page, `${url}/console/access`);
  await page.getByLabel('Username').fill('mia');
  await page.getByLabel('Username').press('Enter');
  await expectInSight(page.getByRole('group', { name: 'Invite link for mia' }));

  await page.goto(`${url}/console/subscriptions`);
  await page.getByText('New subscription', { exact: true }).press('Enter');
  await expect.poll(() => page.getByLabel('Target').inputValue()).toMatch(/^\/\//);
  await page.getByLabel('Address').press('Enter');
  await expectInSight(page.getByRole('group', { name: 'Signing secret' }));

  await page.getByRole('link', { name: /^subscriptions\// }).press('Enter');
  await press('Send test event');
  await press(/^Details/);
  await press(/^Replay/);
  const replayed = page.getByText('Queued to be sent again: 1 event.');
  await expectInSight(replayed);
  await expectInSight(page.getByRole('button', { name: /^Replay/ }));
});

async function expectInSight(wanted: Locator): Promise<void> {
  await wanted.waitFor();
  const isInSight = () =>
    wanted.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= element.ownerDocument.documentElement.clientHeight;
    });
  await expect.poll(isInSight).toBe(true);
}

test('the reference opens what its address and its links name, and finds what stands in closed lines [K9]', async () => {
  const { url } = await startConsole();
  const page = await openPage();
  await page.goto(`${url}/docs#getSwapQuote`);
  const quote = page.locator('details.operation', { has: page.locator('#getSwapQuote') });
  const answer = quote.getByRole('link', { name: 'SwapQuoteEnvelope' });
  await answer.waitFor();
  const schema = page.locator('details.schema', { has: page.locator('#SwapQuoteEnvelope') });
  await schema.getByRole('table').waitFor({ state: 'hidden' });
  await answer.click();
  await schema.getByRole('table').waitFor();
  expect(new URL(page.url()).hash).toBe('#SwapQuoteEnvelope');
  // The schema is closed again, while the address already has its hash.
  await schema.getByRole('heading').click();
  await answer.click();
  await schema.getByRole('table').waitFor();
  // The word occurs only in the table of a closed schema.
  await schema.getByRole('heading').click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('l1Fee');
  await page
    .getByRole('status')
    .getByText(/^0 operations, 1 schema$/)
    .waitFor();
});

test('llms.txt names every operation that the reference has [K9]', async () => {
  const { url } = await startConsole();
  const text = await (await fetch(`${url}/llms.txt`)).text();
  const page = await (await fetch(`${url}/docs`)).text();
  expect(text).toMatch(/^# Tradewind\n\n> /);
  const named = [...page.matchAll(/data-operation="([^"]+)"/g)].map(([, id]) => id);
  expect(named.length).toBeGreaterThan(30);
  for (const id of named) expect(text).toContain(`${url}/docs#${id})`);
  // A description that says no more than the title is left out.
  expect(text).toContain('): `POST /token`.\n');
  expect(text).not.toMatch(/^- \[(.+)\].*`\. \1\.$/m);
});

test('the reference says from where to where a number goes [K9]', async () => {
  const { url } = await startConsole();
  const page = await (await fetch(`${url}/docs`)).text();
  expect(page).toContain('number or null, from 0 to 1');
  expect(page).not.toMatch(/from -?\d+, to/);
});
