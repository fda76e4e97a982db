import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { type ConsolePage, consolePages } from '../../src/console/pages.ts';
import { watchPage } from '../../tests/support/console-browser.ts';
import { findProgram } from '../../tests/support/installed-programs.ts';

// Opens every page of the console with nothing cached, and prints the time of the first paint and the bytes sent
// over the wire (K14). Each figure is the median of the rounds, five by default. `/health` is not a page of the
// console: it shows what this machine takes for a line of text. The arguments are the number of rounds, then
// checkouts to compare, this one by default. Each page is measured in one checkout after the other.
const paths = ['/health', ...consolePages.filter(isOpenToAll).map(({ path }) => path)];
const [rounds = 5, ...named] = process.argv.slice(2);
const checkouts = named.length > 0 ? named : ['.'];
const firstPort = 18_300;
/** A new window is busy with its own start. */
const windowRestMs = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'tradewind-bench-console-'));
const executablePath = findProgram('chromium');
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

/** Starts the server in its own process, as in production: driving the browser takes no processor time from it. */
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
  // A server builds an answer on the first request for it, so that request is not measured.
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

/** Opens a new browser context, which has nothing cached. */
async function open(from: Browser, address: string) {
  const context = await from.newContext({ viewport: { width: 1_200, height: 900 } });
  const page = await context.newPage();
  await pause(windowRestMs);
  const seen = watchPage(page, address);
  await page.goto(address, { waitUntil: 'networkidle' });
  // Scripts that wait for the first paint may run after the network is idle. One of them creates this button.
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
