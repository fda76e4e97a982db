import { expect } from 'vitest';
import { consolePages } from '../../src/console/pages.ts';
import {
  findBarriers,
  signInAtConsole,
  startConsole,
  watchPage,
} from '../support/console-browser.ts';
import { useChromium } from '../support/pages-server.ts';
import { testsWith } from '../support/tests-with.ts';

const { describe, test } = testsWith('chromium');

const openPage = useChromium();

/** The pages without parameters. A page about one object is tested where that object is created. */
const pages = consolePages.filter(({ path, hasSecret }) => !path.includes(':') && !hasSecret);

const kilobyte = 1_024;
const firstLoad = 60 * kilobyte;
const anyPage = 120 * kilobyte;

describe('every page of the console', () => {
  test('weighs little, keeps to its content policy and asks no other server [K14]', async () => {
    const { url } = await startConsole();
    for (const { path, heading } of pages) {
      // A new window has an empty cache.
      const page = await openPage();
      const seen = watchPage(page, url);
      const response = await page.goto(url + path, { waitUntil: 'networkidle' });
      // Modules that wait for the first paint may load after the network was idle. They create this button.
      await page.getByRole('button', { name: 'Sign in' }).first().waitFor();
      expect(response?.headers()['content-security-policy'], path).toContain("script-src 'self';");
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
      expect(await seen.bytes(), path).toBeLessThan(path === '/' ? firstLoad : anyPage);
      expect(seen.foreign, path).toEqual([]);
      expect(seen.complaints, path).toEqual([]);
      await page.context().close();
    }
  });

  test('is painted before its modules are asked for, where the server wrote what it shows [K14]', async () => {
    const { url } = await startConsole();
    for (const path of ['/', '/docs']) {
      const page = await openPage();
      await page.goto(url + path);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      const asked = await page.evaluate<{ name: string; isBefore: boolean }[]>(`
        const [paint] = performance.getEntriesByName('first-contentful-paint');
        performance.getEntriesByType('resource').filter(({ name }) => /\\.[jt]s$/.test(name))
          .map(({ name, startTime }) => ({ name, isBefore: startTime < paint.startTime }))`);
      const before = asked.filter(({ isBefore }) => isBefore).map(({ name }) => name);
      expect(asked.length, path).toBeGreaterThan(10);
      expect(before, path).toEqual([expect.stringMatching(/after-paint\.ts$/)]);
      await page.context().close();
    }
  });

  test('has no barrier that axe knows of, at 390 and 1200 pixels, in the light and the dark [K15]', async () => {
    const { url } = await startConsole();
    const page = await openPage();
    await signInAtConsole(page, `${url}/console/quote`);
    for (const { path } of pages) {
      // A live feed keeps the network busy, so this does not wait until the network is idle.
      await page.goto(url + path);
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      await expect.poll(() => page.locator('.waiting').count()).toBe(0);
      for (const width of [390, 1_200]) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme: 'light' });
        expect(await findBarriers(page), `${path} at ${width}`).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await findBarriers(page, 'colours'), `${path} at ${width} in the dark`).toEqual([]);
      }
    }
  });
});
