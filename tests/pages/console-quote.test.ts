import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBarriers, startConsole, watchPage } from '../support/console-browser.ts';
import { useChromium } from '../support/pages-server.ts';
import { testsWith } from '../support/tests-with.ts';

const { test } = testsWith('chromium');

const openPage = useChromium();
const withDevelopmentChain = { TRADEWIND_DEVCHAIN: 'auto' };

const getQuote = (page: Page) => page.getByRole('button', { name: 'Get quote' });

test('shows a quote with its proof, route, depth and price, and executes it [K1]', async () => {
  const { url } = await startConsole(withDevelopmentChain);
  const page = await openPage({ viewport: { width: 390, height: 800 } });
  const seen = watchPage(page, url);
  await page.goto(`${url}/console/quote`);
  await page.getByLabel('Chain').selectOption('Tradewind development chain');
  await page.getByLabel('You pay').fill('eth');
  await page.getByLabel('Amount').fill('100');
  await page.getByLabel('You receive').fill('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48');
  await page.getByLabel('Sender').fill('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
  const listed = page.locator('datalist').first().locator('option[value=USDC]');
  await listed.waitFor({ state: 'attached' });
  await getQuote(page).click();
  const answer = page.getByRole('region', { name: 'You receive' });
  await answer.waitFor();
  for (const name of ['Price', 'Impact', 'Minimum', 'Gas', 'Approval']) {
    await answer.getByText(name, { exact: true }).waitFor();
  }
  expect(await answer.textContent()).toMatch(
    /no routing over the \d+ pools that were read gives more than [\d,.]+ USDC before gas, and this route is within .* basis points/,
  );
  const route = page.getByRole('region', { name: 'Route' });
  await route.getByRole('img', { name: 'Route from ETH to USDC' }).waitFor();
  expect((await route.getByRole('listitem').allTextContents())[0]).toMatch(
    /^[\d.]+%: ETH → .* through uniswap-v/,
  );
  await page.getByRole('img', { name: 'Price of one ETH in USDC: from' }).waitFor();
  await page
    .getByRole('region', { name: 'Price over time' })
    .getByText('One ETH in USDC')
    .waitFor();
  const depth = page.getByRole('region', { name: 'Depth' });
  await depth.getByText('Figures').click();
  expect(await depth.getByRole('row').count()).toBeGreaterThan(5);
  const transaction = page.getByRole('group', { name: 'Transaction', exact: true });
  expect(JSON.parse(String(await transaction.textContent()))).toMatchObject({
    from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    data: expect.stringMatching(/^0x/),
  });
  expect(await findBarriers(page)).toEqual([]);

  const execute = page.getByRole('button', { name: 'Execute with a test account' });
  await page.setViewportSize({ width: 390, height: 480 });
  await execute.press('Enter');
  await page.getByText('none, to the last unit').waitFor();
  const executed = page.getByRole('region', { name: 'Try it on the development chain' });
  const [received, quoted] = await executed.locator('dd').allTextContents();
  expect(received).toMatch(/USDC$/);
  expect(received).toBe(quoted);
  // The result is below the button, and visible without scrolling in a low window.
  const box = await executed.locator('[role=status]:has(dl)').boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(481);
  await execute.and(page.locator(':focus')).waitFor();
  // The block of the execution adds one more price.
  await getQuote(page).click();
  await page.getByRole('img', { name: 'at first' }).waitFor();
  expect(seen.complaints).toEqual([]);
  expect(seen.foreign).toEqual([]);
});

test('can be requested by keyboard alone, keeps the input and names the wrong field [K17]', async () => {
  const { url } = await startConsole(withDevelopmentChain);
  const page = await openPage();
  await page.goto(`${url}/console/quote`);
  await page.getByLabel('You pay').focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('NOSUCH');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('1.5');
  await page.keyboard.press('Enter');
  await page.getByText('No token of this chain is known here as “NOSUCH”').waitFor();
  const wrong = page.getByLabel('You pay');
  await expect.poll(() => wrong.getAttribute('aria-invalid')).toBe('true');
  await wrong.and(page.locator(':focus')).waitFor();
  expect(await page.getByLabel('Amount').inputValue()).toBe('1.5');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('WETH');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'You receive' }).getByText('for 1.5 WETH').waitFor();
  expect(await wrong.getAttribute('aria-invalid')).toBeNull();
  await page.getByLabel('Sender').fill('nobody');
  await page.keyboard.press('Enter');
  await page.getByText('This is "nobody" but must be 0x').waitFor();
  expect(await page.getByLabel('Sender').getAttribute('aria-invalid')).toBe('true');
});

test('says what it waits for [K18]', async () => {
  const { url } = await startConsole(withDevelopmentChain);
  const page = await openPage();
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>();
  // The names of tokens are delayed too: a quick person does not wait for them.
  await page.route(/\/v1\/(swap|tokens)\//, async (route) => {
    await isSeen;
    await route.continue();
  });
  await page.goto(`${url}/console/quote`);
  await getQuote(page).click();
  await page.getByRole('status').getByText('Searching for the best route').waitFor();
  expect(await getQuote(page).isDisabled()).toBe(true);
  see();
  await page.getByRole('region', { name: 'You receive' }).waitFor();
  await page.getByText('Searching for the best route').waitFor({ state: 'detached' });
});

test('says what can still be asked where a chain does not answer, and uses no token of another chain [K17]', async () => {
  const { url } = await startConsole(withDevelopmentChain);
  const page = await openPage();
  await page.route('**/v1/chains', async (route) => {
    const response = await route.fetch();
    const { data, ...envelope } = await response.json();
    const base = { ...data.chains[0], chainId: 8453, name: 'Base' };
    await route.fulfill({ json: { ...envelope, data: { chains: [...data.chains, base] } } });
  });
  const error = { code: 'CHAIN_UNAVAILABLE', message: 'No RPC endpoint answers.' };
  const refusal = { status: 502, json: { success: false, error } };
  await page.route('**/v1/tokens/8453', (route) => route.fulfill(refusal));
  await page.goto(`${url}/console/quote`);
  // The tokens of the development chain are known.
  await page.locator('datalist option[value=USDC]').first().waitFor({ state: 'attached' });
  await page.getByLabel('Chain').selectOption('8453');
  await page.getByText('Base does not answer now').waitFor();
  await page.getByText('give ETH or an address').waitFor();
  await page.getByLabel('Sender').fill('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
  await page.getByLabel('You receive').fill('USDC');
  await page.getByRole('button', { name: 'Get quote' }).click();
  await page
    .getByText('No token of this chain is known here as “USDC”: give its address.')
    .waitFor();
  expect(await page.getByLabel('You pay').getAttribute('aria-invalid')).not.toBe('true');
});
