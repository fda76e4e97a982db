import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import type { ConsolePage } from '../../src/console/console-page.ts';
import { consolePages } from '../../src/console/pages.ts';
import { watchPage } from '../../tests/support/console-browser.ts';
import { findChromium } from '../../tests/support/find-chromium.ts';

// Opens every page of the console with nothing cached, and tells when something was painted first and how
// many bytes came over the wire (K14): the median of the rounds that are given, five unless said otherwise.
// `/health` is no page of the console: it tells what the machine takes for a line of text. Checkouts that are
// named after the rounds are measured side by side, each page from one after the other; without any it is this one.
const paths = ['/health', ...consolePages.filter(isOpenToAll).map(({ path }) => path)];
const [rounds = 5, ...named] = process.argv.slice(2);
const checkouts = named.length > 0 ? named : ['.'];
const firstPort = 18_300;
/** A window that has just opened is busy with itself. */
const windowRestMs = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'tradewind-bench-console-'));
const executablePath = findChromium();
if (executablePath === undefined) throw new Error('No Chromium was found: name it in CHROMIUM.');
const servers: ChildProcess[] = [];
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const addresses = [];
  for (const [index, checkout] of checkouts.entries()) addresses.push(await serve(checkout, index));
  console.log('| Page | Source | first paint, ms | the quickest, ms | KB as sent | requests |');
  console.log('|---|---|---|---|---|---|');
  for (const path of paths) await measure(path, addresses);
} finally {
  await browser.close();
  for (const server of servers) {
    server.kill();
    await once(server, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}

/** In a process of its own, as people have it: what drives the browser takes nothing from it. */
async function serve(checkout: string, index: number): Promise<string> {
  const port = firstPort + index;
  const server = spawn(process.execPath, ['bin/tradewind.js', 'serve'], {
    cwd: resolve(checkout),
    stdio: 'ignore',
    env: {
      ...process.env,
      TRADEWIND_PORT: String(port),
      TRADEWIND_DATA_DIR: join(folder, String(index)),
      TRADEWIND_DEVCHAIN: 'off',
    },
  });
  servers.push(server);
  const address = `http://localhost:${port}`;
  const isReady = () =>
    fetch(`${address}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (server.exitCode !== null) throw new Error(`The server of ${checkout} did not start.`);
    await pause(100);
  }
  return address;
}

async function measure(path: string, addresses: readonly string[]): Promise<void> {
  const opened = addresses.map((): Awaited<ReturnType<typeof open>>[] => []);
  // The first answer of a server is made when it is asked for.
  for (const address of addresses) await open(browser, address + path);
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const [index, address] of addresses.entries())
      opened[index]?.push(await open(browser, address + path));
  }
  for (const [index, all] of opened.entries()) {
    const paints = all.map(({ paint }) => paint);
    const kilobytes = median(all.map(({ bytes }) => bytes)) / 1_024;
    const cells = [
      `\`${path}\``,
      basename(resolve(checkouts[index] ?? '.')),
      Math.round(median(paints)),
      Math.round(Math.min(...paints)),
      kilobytes.toFixed(1),
      median(all.map(({ requests }) => requests)),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function isOpenToAll({ path, hasSecret }: ConsolePage): boolean {
  return !hasSecret && !path.includes(':');
}

/** A window of its own has cached nothing. */
async function open(from: Browser, address: string) {
  const context = await from.newContext({ viewport: { width: 1_200, height: 900 } });
  const page = await context.newPage();
  await pause(windowRestMs);
  const seen = watchPage(page, address);
  await page.goto(address, { waitUntil: 'networkidle' });
  // What waits for the first paint may come after the network was quiet; this button is made by it.
  if (!address.endsWith('/health'))
    await page.getByRole('button', { name: 'Sign in' }).first().waitFor();
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
