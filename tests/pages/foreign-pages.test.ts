import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { findBarriers, signInAtConsole } from '../support/console-browser.ts';
import { ownerPassword, withOwner } from '../support/open-test-authorization.ts';
import { startPages, useChromium } from '../support/pages-server.ts';
import { serveHttp } from '../support/serve-http.ts';
import { testsWith } from '../support/tests-with.ts';

const { describe, test } = testsWith('chromium');

const openPage = useChromium();
const everything = {
  ...withOwner,
  TRADEWIND_SERVICES: 'swap,authorization,events,context',
  TRADEWIND_DEVCHAIN: 'auto',
  TRADEWIND_CHAINS: '31337',
};
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };
const service = {
  grant_types: ['client_credentials'],
  response_types: [],
  token_endpoint_auth_method: 'client_secret_post',
  scope: 'events.publish subscriptions.write subscriptions.read',
};

/** What a script can pass to a page: text and nothing else. */
type Sent = {
  method?: string;
  mode?: 'no-cors';
  headers?: Record<string, string>;
  body?: string;
};
type Read = { status: number; body: Record<string, unknown> } | 'unreadable';

/** A real page of another origin on this machine, which the browser treats as cross-site or same-site. */
async function openForeignPage(
  host: '127.0.0.1' | 'localhost',
): Promise<{ page: Page; url: string }> {
  const origin = await serveHttp((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Elsewhere</title>');
  });
  const url = origin.replace('127.0.0.1', host);
  const page = await openPage();
  await page.goto(url);
  return { page, url };
}

/** Lets the page send a request itself. Returns what its script could read of the answer. */
function fetchIn(page: Page, url: string, init: Sent = {}): Promise<Read> {
  return page.evaluate(
    async ({ url, init }) => {
      try {
        const response = await fetch(url, init);
        if (response.type === 'opaque') return 'unreadable';
        const text = await response.text();
        const body = text.startsWith('{') ? JSON.parse(text) : {};
        return { status: response.status, body };
      } catch {
        return 'unreadable';
      }
    },
    { url, init },
  );
}

const post = (body: object, headers: Record<string, string> = json): Sent => ({
  method: 'POST',
  headers,
  body: JSON.stringify(body),
});
const postForm = (body: Record<string, string>): Sent => ({
  method: 'POST',
  headers: form,
  body: String(new URLSearchParams(body)),
});

async function send(url: string, init: Sent): Promise<Record<string, string>> {
  return (await (await fetch(url, init)).json()) as Record<string, string>;
}

const rpc = (method: string, ...params: unknown[]) =>
  post({ jsonrpc: '2.0', id: 1, method, params });

describe.each(['127.0.0.1', 'localhost'] as const)('a page at %s on another port', (host) => {
  test('reads a public quote and can do nothing else without a person [N2]', async () => {
    const { url, tryNext } = await startPages(everything);
    const { page } = await openForeignPage(host);
    const read = (path: string, init?: Sent) => fetchIn(page, url + path, init);

    const quote = /'(http[^']+)'/.exec(tryNext[0] ?? '')?.[1] ?? '';
    expect(await fetchIn(page, quote)).toMatchObject({
      status: 200,
      body: { data: { status: 'Successful' } },
    });

    expect(await read('/register', post(service))).toMatchObject({ status: 400 });
    // The credentials of a program on this machine are worthless to a page that obtained them.
    const client = await send(`${url}/register`, post(service));
    const asked = {
      client_id: client.client_id ?? '',
      client_secret: client.client_secret ?? '',
      grant_type: 'client_credentials',
    };
    const { access_token } = await send(`${url}/token`, postForm(asked));
    expect(access_token).toBeDefined();
    expect(await read('/token', postForm(asked))).toMatchObject({ status: 400 });

    const bearer = { ...json, authorization: `Bearer ${access_token}` };
    for (const path of ['/v1/events', '/v1/subscriptions']) {
      expect(await read(path, post({}))).toMatchObject({ status: 401 });
      expect(await read(path, post({}, bearer))).toMatchObject({ status: 401 });
      expect((await fetch(url + path, post({}, bearer))).status).toBe(400);
    }
    expect(await read('/mcp', post({}, bearer))).toBe('unreadable');

    for (const method of ['evm_mine', 'evm_setBlockGasLimit', 'eth_sendTransaction', 'eth_call']) {
      expect(await read('/rpc/31337', rpc(method))).toMatchObject({
        body: { error: { code: -32004 } },
      });
    }
    expect(await read('/rpc/31337', rpc('eth_chainId'))).toMatchObject({
      body: { result: '0x7a69' },
    });
  });

  test('changes nothing with requests that need no preflight [N2]', async () => {
    const { url } = await startPages(everything);
    const { page } = await openForeignPage(host);
    const height = () => send(`${url}/rpc/31337`, rpc('eth_blockNumber'));
    const before = await height();
    for (const [path, body] of [
      ['/rpc/31337', String(rpc('evm_mine').body)],
      ['/register', JSON.stringify(service)],
      ['/v1/events', '{}'],
      ['/mcp', '{}'],
    ] as const) {
      const sent = { method: 'POST', mode: 'no-cors', body } as const;
      expect(await fetchIn(page, url + path, sent)).toBe('unreadable');
    }
    expect(await height()).toEqual(before);
  });

  test('makes no grant of a person by sending the browser to the console [K11, N2]', async () => {
    const { url } = await startPages(everything);
    const { page, url: elsewhere } = await openForeignPage(host);
    await signInAtConsole(page, `${url}/console/quote`);
    await page.goto(elsewhere);
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id: 'tradewind-console',
      redirect_uri: `${url}/console/callback`,
      code_challenge: createPkce().codeChallenge,
      code_challenge_method: 'S256',
    });
    await page.evaluate(`location.href = ${JSON.stringify(`${url}/authorize?${asked}`)}`);
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    expect(page.url()).toMatch(/\/authorize\/[\w-]{43}$/);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(/\/console\//);
  });

  test('registers, has a person sign in, redeems the code and uses the token [N2]', async () => {
    const { url } = await startPages(everything);
    const { page, url: app } = await openForeignPage(host);
    const redirect_uri = `${app}/callback`;
    const registered = await fetchIn(
      page,
      `${url}/register`,
      post({ redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' }),
    );
    if (registered === 'unreadable') throw new Error('the registration could not be read');
    const { client_id } = registered.body as { client_id: string };
    const { codeVerifier, codeChallenge } = createPkce();
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri,
      scope: 'subscriptions.read',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    });
    await page.goto(`${url}/authorize?${asked}`);
    await page.getByLabel('Name').fill('owner');
    await page.getByLabel('Password').fill(ownerPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(/\/callback/);

    const code = String(new URL(page.url()).searchParams.get('code'));
    const redeemed = { grant_type: 'authorization_code', code, code_verifier: codeVerifier };
    const tokens = await fetchIn(
      page,
      `${url}/token`,
      postForm({ ...redeemed, client_id, redirect_uri }),
    );
    if (tokens === 'unreadable') throw new Error('the tokens could not be read');
    const headers = { authorization: `Bearer ${tokens.body.access_token}` };
    expect(await fetchIn(page, `${url}/v1/applications`, { headers })).toMatchObject({
      status: 200,
    });
  });
});
