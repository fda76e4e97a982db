import { expect } from 'vitest';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { signInAtConsole, startConsole } from '../support/console-browser.ts';
import { useChromium } from '../support/pages-server.ts';
import { testsWith } from '../support/tests-with.ts';

const { test } = testsWith('chromium');

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
  expect(await page.evaluate(listKept)).toEqual([]);
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

test('the command line is a client of this server, and asks without a warning of itself [K11]', async () => {
  const { url } = await startConsole();
  const metadata = await fetch(`${url}/.well-known/oauth-authorization-server`);
  expect(await metadata.json()).toMatchObject({
    tradewind_native_clients: ['tradewind-command-line'],
  });
  const page = await openPage();
  await signInAtConsole(page, `${url}/console/quote`);
  const askFor = (redirect_uri: string) =>
    page.goto(
      `${url}/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: 'tradewind-command-line',
        redirect_uri,
        code_challenge: createPkce().codeChallenge,
        code_challenge_method: 'S256',
        scope: 'swap.read',
      })}`,
    );
  await askFor('http://127.0.0.1:50000/callback');
  await page.getByText('Tradewind command line').first().waitFor();
  await page.getByText('A program that belongs to this server.').waitFor();
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  expect(await page.locator('.note.warn').count()).toBe(0);
  expect((await askFor('https://elsewhere.example/callback'))?.status()).toBe(400);
});

type Kept = { key: object; accessToken: string; refreshToken: string };

/** What the browser stores, and whether its key can be exported. */
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

/** The names of everything that the console has stored. Runs in the browser. */
const listKept = `new Promise((resolve) => {
  indexedDB.open('tradewind-console', 1).onsuccess = ({ target }) => {
    const store = target.result.transaction('session').objectStore('session');
    store.getAllKeys().onsuccess = ({ target: { result } }) => resolve(result);
  };
})`;
