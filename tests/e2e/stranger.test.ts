import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { proveWallet } from '../support/prove-wallet.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { serve } from '../support/run-tradewind.ts';
import { createTestBrowser, type TestBrowser, type TestPage } from '../support/test-browser.ts';

const publicUrl = 'https://tradewind.example';
const wallet = privateKeyToAccount(`0x${'45'.repeat(32)}`);
const scope = 'subscriptions.read subscriptions.write events.publish';

/** The server as a proxy with TLS reaches it, which may be one that the server was told of, or none. */
async function open(environment: Record<string, string>) {
  const port = await findFreePort();
  const server = await serve({
    environment: {
      TRADEWIND_PORT: String(port),
      TRADEWIND_PUBLIC_URL: publicUrl,
      TRADEWIND_OWNER_PASSWORD: 'correct-horse-battery',
      ...environment,
    },
  });
  expect(server.url).toBe(publicUrl);
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const forwarded = { host: 'tradewind.example', 'x-forwarded-proto': 'https' };
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...forwarded };
    const sent = sendRequest({
      host: '127.0.0.1',
      port,
      path: path.replace(publicUrl, ''),
      method: init.method ?? 'GET',
      headers: {
        ...headers,
        'x-forwarded-for': '203.0.113.7',
        ...(init.body instanceof URLSearchParams
          ? { 'content-type': 'application/x-www-form-urlencoded' }
          : {}),
      },
    });
    sent.end(init.body === undefined || init.body === null ? undefined : String(init.body));
    const [answer] = await once(sent, 'response');
    const body = await text(answer);
    const received = new Headers();
    for (let at = 0; at < answer.rawHeaders.length; at += 2) {
      received.append(answer.rawHeaders[at], answer.rawHeaders[at + 1]);
    }
    const isEmpty = [204, 304].includes(answer.statusCode);
    return new Response(isEmpty ? null : body, { status: answer.statusCode, headers: received });
  };
  const run = async (...args: string[]) => {
    const local = {
      TRADEWIND_DATA_DIR: server.dataDir,
      TRADEWIND_PUBLIC_URL: publicUrl,
    };
    return runInProcess([...args, '--server', `http://127.0.0.1:${port}`, '--json'], {
      environment: local,
    });
  };
  return { request, run, server };
}
type Opened = Awaited<ReturnType<typeof open>>;

/** Asks for access as the built-in command-line client, which needs no registration. */
async function askAsCommandLine(browser: TestBrowser) {
  const { codeVerifier, codeChallenge } = createPkce();
  const redirectUri = 'http://127.0.0.1:9/callback';
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'tradewind-command-line',
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    scope,
  });
  const page = await browser.follow(await browser.open(`/authorize?${query}`));
  const redeem = ({ request }: Opened, code: string) =>
    request('/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'tradewind-command-line',
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
      }),
    });
  return { page, redeem };
}

const codeOf = (page: TestPage) =>
  new URL(page.headers.get('location') ?? publicUrl).searchParams.get('code') ?? '';

function publish({ request }: Opened, token: string) {
  return request('/v1/events', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/cloudevents+json',
    },
    body: JSON.stringify({
      specversion: '1.0',
      id: '1',
      source: '//drive.googleapis.com/files/abc',
      subject: '//drive.googleapis.com/files/abc',
      type: 'google.workspace.drive.file.v3.renamed',
      data: { file: { name: 'files/abc' } },
    }),
  });
}

describe('a server as the README has operators set it up', () => {
  test.each([
    { registration: 'token', how: { TRADEWIND_TRUSTED_PROXY: '127.0.0.1' } },
    { registration: 'token', how: {} },
    {
      registration: 'off',
      how: { TRADEWIND_TRUSTED_PROXY: '127.0.0.1', TRADEWIND_REGISTRATION: 'off' },
    },
  ])(
    'gives a stranger no account, token or event, and an invited one all: $how [F36, N22]',
    async ({ how, registration }) => {
      const opened = await open(how as Record<string, string>);
      const { request, run } = opened;
      const stranger = createTestBrowser(opened);
      const asked = await askAsCommandLine(stranger);
      const refused = await proveWallet(opened, { browser: stranger, page: asked.page, wallet });
      expect([refused.status, refused.text.includes('needs an invitation')]).toEqual([403, true]);
      expect(refused.headers.getSetCookie()).toEqual([]);
      const registered = await request('/register', {
        method: 'POST',
        body: JSON.stringify({ redirect_uris: ['http://localhost/c'] }),
      });
      expect([401, 403, 404]).toContain(registered.status);
      expect((await asked.redeem(opened, 'guessed')).status).toBe(400);
      expect((await publish(opened, 'none')).status).toBe(401);
      const people = JSON.parse((await run('people', 'list')).stdout).people;
      expect(people.map(({ name }: { name: string }) => name)).toEqual(['owner']);

      const doctor = await runInProcess(['doctor', '--json'], {
        environment: { TRADEWIND_PORT: '0', TRADEWIND_PUBLIC_URL: publicUrl, ...how },
      });
      const { findings } = JSON.parse(doctor.stdout);
      const told = findings.find(({ check }: { check: string }) => check === 'strangers');
      expect(told.detail).toBe(
        [
          'accounts: none without an invitation by an admin (TRADEWIND_SIGN_UP=invited)',
          `registration: nobody registers clients${registration === 'off' ? '' : ' without a token'} (TRADEWIND_REGISTRATION=${registration})`,
          'scopes: none',
          "events: none: who holds an application's scopes sees all of its events (TRADEWIND_EVENT_VISIBILITY=shared)",
        ].join('\n'),
      );

      const invited = JSON.parse((await run('people', 'invite', 'mia')).stdout);
      const mia = createTestBrowser(opened);
      const welcome = await mia.open(invited.inviteUrl);
      const joined = await proveWallet(opened, { browser: mia, page: welcome, wallet });
      expect((await mia.follow(joined)).text).toContain('Signed in as mia');
      const wanted = await askAsCommandLine(mia);
      const allowed = await mia.submit(wanted.page, 'consent', { decision: 'allow' });
      const redeemed = await wanted.redeem(opened, codeOf(allowed));
      const { access_token } = (await redeemed.json()) as { access_token: string };
      const published = await publish(opened, access_token);
      expect(published.status, await published.text()).toBe(202);
    },
  );

  test('tells at its start what a stranger gets [F36, N22]', async () => {
    const { server } = await open({ TRADEWIND_SIGN_UP: 'open' });
    const facts = JSON.parse(server.output().stdout.split('\n')[0] ?? '');
    const told = facts.strangers.map(({ of, get }: { of: string; get: string }) => [of, get]);
    expect(told).toMatchObject([
      ['accounts', 'whoever has a wallet becomes an account (TRADEWIND_SIGN_UP=open)'],
      ['registration', expect.stringMatching(/^nobody registers clients without a token/)],
      ['scopes', expect.stringMatching(/events\.publish.*, by consent of their own account$/)],
      ['events', expect.stringMatching(/^everybody's: .*VISIBILITY=shared/)],
    ]);
  });
});
