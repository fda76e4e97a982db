import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { loadConfig } from '../../src/app/settings/load-config.ts';
import { startServer } from '../../src/app/start-server.ts';
import type { ConsolePage } from '../../src/console/console-page.ts';
import { consolePages } from '../../src/console/pages.ts';
import { createLogger } from '../../src/kernel/logging/logger.ts';
import { watchPage } from '../../tests/support/console-browser.ts';
import { findChromium } from '../../tests/support/find-chromium.ts';

// Opens every page of the console with nothing cached, and tells when something was painted first and how
// many bytes came over the wire (K14): the median of the rounds that are given, five unless said otherwise.
// `/health` is no page of the console: it tells what the machine takes for a line of text.
const paths = ['/health', ...consolePages.filter(isOpenToAll).map(({ path }) => path)];
const rounds = Number(process.argv[2] ?? 5);
const dataDir = mkdtempSync(join(tmpdir(), 'tradewind-bench-console-'));
const { config } = loadConfig({
  environment: { TRADEWIND_PORT: '0', TRADEWIND_DATA_DIR: dataDir, TRADEWIND_DEVCHAIN: 'off' },
  flags: {},
});
const logger = createLogger({ level: 'silent', format: 'json', write: () => {} });
const server = await startServer({ config, logger });
const executablePath = findChromium();
if (executablePath === undefined) throw new Error('No Chromium was found: name it in CHROMIUM.');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  console.log('| Page | first paint, ms | KB as sent | requests |\n|---|---|---|---|');
  // A browser that has just started is slow with whatever it opens first.
  await open(browser, '/health');
  for (const path of paths) {
    const opened = [];
    for (let round = 0; round < rounds; round += 1) opened.push(await open(browser, path));
    const paint = median(opened.map((one) => one.paint));
    const kilobytes = median(opened.map((one) => one.bytes)) / 1_024;
    const requests = median(opened.map((one) => one.requests));
    console.log(`| \`${path}\` | ${Math.round(paint)} | ${kilobytes.toFixed(1)} | ${requests} |`);
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

function isOpenToAll({ path, hasSecret }: ConsolePage): boolean {
  return !hasSecret && !path.includes(':');
}

/** A window of its own has cached nothing. */
async function open(from: Browser, path: string) {
  const context = await from.newContext({ viewport: { width: 1_200, height: 900 } });
  const page = await context.newPage();
  const seen = watchPage(page, server.facts.url);
  await page.goto(server.facts.url + path, { waitUntil: 'networkidle' });
  const paint = await page.evaluate(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`,
  );
  const [bytes, requests] = [await seen.bytes(), seen.requests()];
  await context.close();
  return { paint: Number(paint), bytes, requests };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
