import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { loadConfig } from '../src/app/settings/load-config.ts';
import { startServer } from '../src/app/start-server.ts';
import { consolePages } from '../src/console/pages.ts';
import { createLogger } from '../src/kernel/telemetry/logger.ts';
import { findProgram } from '../tests/support/installed-programs.ts';
import { type FilledConsole, fillConsole } from './fill-console.ts';

// Takes a screenshot of every page of the console, at two widths, light and dark, with the data that a team would have
// after a day. The first argument is the folder, screenshots/ by default. Further arguments choose pages:
// npm run screenshots -- out quote. Without arguments it also writes the two pictures of the README.
const [folder = 'screenshots', ...wanted] = process.argv.slice(2);
const password = 'correct-horse-battery';
const dataDir = mkdtempSync(join(tmpdir(), 'tradewind-screenshots-'));
mkdirSync(folder, { recursive: true });

const { config } = loadConfig({
  environment: {
    TRADEWIND_PORT: '0',
    TRADEWIND_DATA_DIR: dataDir,
    TRADEWIND_OWNER_PASSWORD: password,
  },
  flags: {},
});
const logger = createLogger({ level: 'silent', format: 'json', write: () => {} });
const server = await startServer({ config, logger });
const executablePath = findProgram('chromium');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
let filled: FilledConsole | undefined;
try {
  for (const colorScheme of ['light', 'dark'] as const) await takeAll(colorScheme);
} finally {
  filled?.stop();
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function takeAll(colorScheme: 'light' | 'dark'): Promise<void> {
  const { url } = server.facts;
  const context = await browser.newContext({ colorScheme, locale: 'en-GB' });
  const page = await context.newPage();
  // Long, because the machine may be busy.
  page.setDefaultTimeout(180_000);
  await signIn(page, url);
  filled ??= await fillConsole(page, url);
  const named = consolePages
    .filter(({ path, hasSecret }) => !hasSecret && !path.includes(':'))
    .map(({ path }) => [path.replace('/console', '').replaceAll('/', '') || 'home', path] as const);
  for (const [name, path] of [...named, ...Object.entries(filled.paths)]) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await page.setViewportSize({ width: 1_200, height: 900 });
    // Does not wait for an idle network: a page with a live feed never reaches it.
    await page.goto(url + path);
    await page.locator('h1').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await whenComplete(page);
    if (name === 'quote') await quote(page);
    for (const width of [390, 1_200]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate('scrollTo(0, 0)');
      const tall = Number(await page.evaluate('document.documentElement.scrollHeight'));
      // Chromium would take minutes to draw the whole API reference.
      await page.setViewportSize({ width, height: Math.min(tall, 2_600) });
      const file = join(folder, `${name}-${colorScheme}-${width}.png`);
      await page.screenshot({ path: file });
      console.log(file);
      if (process.argv.length === 2 && colorScheme === 'light' && width === 1_200)
        await takeForReadme(page, name);
    }
  }
  await context.close();
}

/** Takes the upper part of a page, which shows its purpose. */
async function takeForReadme(page: Page, name: string): Promise<void> {
  if (name !== 'home' && name !== 'quote') return;
  const clip = { x: 0, y: 0, width: 1_200, height: name === 'home' ? 1_000 : 1_250 };
  await page.screenshot({ path: `docs/images/${name}.png`, clip });
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/console/quote`);
  await page.locator('#session').getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Name').fill('owner');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

async function whenComplete(page: Page): Promise<void> {
  while ((await page.locator('.waiting').count()) > 0) await page.waitForTimeout(50);
}

async function quote(page: Page): Promise<void> {
  await page.getByLabel('Amount').fill('250');
  await page.getByRole('button', { name: 'Get quote' }).click();
  await page.getByRole('button', { name: 'Execute with a test account' }).click();
  await page.getByText('Received').waitFor();
  await page.getByRole('button', { name: 'Get quote' }).click();
  await page.getByText('Received').waitFor({ state: 'detached' });
  await whenComplete(page);
}
