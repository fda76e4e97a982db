import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { ownerPassword, withOwner } from './open-test-authorization.ts';
import { startPages } from './pages-server.ts';

/** Every service, without the development chain, which takes seconds to start. */
const withoutChains = {
  ...withOwner,
  TRADEWIND_SERVICES: 'swap,authorization,events,context',
  TRADEWIND_CHAINS: '31337',
};

/** The real server with the whole console; it serves no chain unless the environment has one. */
export function startConsole(environment: Record<string, string> = {}) {
  return startPages({ ...withoutChains, ...environment });
}

/** Signs the owner in at a page of the console and returns to that page. */
export async function signInAtConsole(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('#session').getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Name').fill('owner');
  await page.getByLabel('Password').fill(ownerPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * The violations of WCAG 2.2 AA that axe finds on a page, one line for each element; also whether the page scrolls sideways.
 * `colours` checks the contrast alone, for pages where only the colours have changed.
 */
export async function findBarriers(page: Page, of: 'everything' | 'colours' = 'everything') {
  await page.evaluate(axe.source);
  const runOnly = of === 'everything' ? wcag : { type: 'rule', values: ['color-contrast'] };
  const run = `axe.run({ runOnly: ${JSON.stringify(runOnly)} })`;
  const { violations } = (await page.evaluate(run)) as axe.AxeResults;
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
  const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  return Number(beyond) > 0 ? [...found, `scrolls sideways by ${beyond} pixels`] : found;
}

/** Watches a page: what it loaded, its requests to other origins, and what its content policy refused. */
export function watchPage(page: Page, address: string) {
  const { origin } = new URL(address);
  const foreign: string[] = [];
  const complaints: string[] = [];
  const loaded: Promise<number>[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) foreign.push(request.url());
  });
  page.on('requestfinished', (request) =>
    // A request that ends while its window closes has no size any more, and no test needs it.
    loaded.push(
      request.sizes().then(
        (sizes) => sizes.responseBodySize,
        () => 0,
      ),
    ),
  );
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return {
    foreign,
    complaints,
    /** How many requests were answered so far. */
    requests: () => loaded.length,
    /** Bytes of response bodies so far, as sent over the wire. */
    bytes: async () => (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0),
  };
}
