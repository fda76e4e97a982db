import { expect, test } from 'vitest';
import { signInAtConsole, startConsole } from '../support/console-browser.ts';
import { useChromium } from '../support/pages-server.ts';

const openPage = useChromium();

test('a person signs in at the console without a consent question, and signing out ends it [K11]', async () => {
  const { url } = await startConsole();
  const page = await openPage();
  await signInAtConsole(page, `${url}/console/quote`);
  expect(page.url()).toBe(`${url}/console/quote`);
  const kept = (await page.evaluate(readKept)) as Kept;
  expect(kept.key).toEqual({ extractable: false, isRefused: true });
  const [, claims = ''] = kept.accessToken.split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString()).cnf).toEqual({
    jkt: expect.any(String),
  });

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${url}/`);
  const refreshed = await fetch(`${url}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: kept.refreshToken,
      client_id: 'tradewind-console',
    }),
  });
  expect(refreshed.status).toBe(400);
  await page.goto(`${url}/console/quote`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Password').waitFor();
});

type Kept = { key: object; accessToken: string; refreshToken: string };

/** What the browser keeps, and whether its key can be taken out. */
const readKept = `(async () => {
  const answer = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const database = await answer(indexedDB.open('tradewind-console'));
  const read = (name) => answer(database.transaction('session').objectStore('session').get(name));
  const { privateKey } = await read('key');
  const { accessToken, refreshToken } = await read('session');
  const isRefused = await crypto.subtle.exportKey('pkcs8', privateKey).then(() => false, () => true);
  return { key: { extractable: privateKey.extractable, isRefused }, accessToken, refreshToken };
})()`;
