import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import {
  issuer,
  openTestAuthorization,
  type TestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';

const redirectUri = 'https://app.example.com/callback';
let service: TestAuthorization;
let clientId: string;

beforeEach(async () => {
  service = await openTestAuthorization();
  clientId = await register([redirectUri, 'http://localhost:3000/callback']);
});

describe('an authorization request', () => {
  test('that is in order waits at an address of its own, from GET and from POST', async () => {
    for (const response of [await authorize(), await authorize({}, 'POST')]) {
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toMatch(/^\/authorize\/[\w-]{43}$/);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    }
    expect(await countInteractions()).toBe(2);
  });

  test('from a local program may come back on any port [S9]', async () => {
    const response = await authorize({ redirect_uri: 'http://localhost:49152/callback' });
    expect(response.headers.get('location')).toMatch(/^\/authorize\//);
  });

  test.each([
    ['an unregistered address', 'https://evil.example/callback'],
    ['a longer path', `${redirectUri}/../evil`],
    ['a prefix of the host', 'https://app.example.com.evil.example/callback'],
    ['user information', 'https://app.example.com@evil.example/callback'],
    ['user information of its own', 'https://evil.example:x@app.example.com/callback'],
    ['a host that begins like this machine', 'http://localhost.evil.example:3000/callback'],
    ['an encoded path', 'https://app.example.com/%63allback'],
    ['a fragment', `${redirectUri}#evil`],
    ['another letter case', 'https://app.example.com/CALLBACK'],
    ['another letter case of the host', 'https://APP.example.com/callback'],
    ['a query', `${redirectUri}?next=https://evil.example`],
    ['a backslash', 'https://app.example.com\\@evil.example/callback'],
    ['a script', 'javascript:alert(1)//https://app.example.com/callback'],
    ['white space before it', ` ${redirectUri}`],
  ])('to %s shows a page and redirects nobody [A2, S9]', async (_what, redirect_uri) => {
    await expectPage(await authorize({ redirect_uri }));
  });

  test.each(['client_id', 'redirect_uri', 'state', 'response_type', 'code_challenge'])(
    'that names %s twice shows a page and redirects nobody [A2, S2]',
    async (name) => {
      const query = `${new URLSearchParams(parameters())}&${name}=${encodeURIComponent(redirectUri)}`;
      await expectPage(await service.request(`/authorize?${query}`));
    },
  );

  test.each([
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: 'unknown' }],
    ['nothing at all', { client_id: undefined, redirect_uri: undefined, response_type: undefined }],
  ])('with %s gets 400 [S2]', async (_what, change) => {
    const body = await expectPage(await authorize(change));
    expect(body).not.toContain('app.example.com');
  });

  test('whose client names a script gets a page that runs none [A11, N6]', async () => {
    const body = await expectPage(await authorize({ client_id: '<script>alert(1)</script>' }));
    expect(body).not.toContain('<script>alert');
    expect(body).toContain('&lt;script&gt;');
  });

  test.each([
    ['an error in its scope', { scope: 'nonsense' }],
    ['prompt=none', { prompt: 'none' }],
    ['a wrong response type', { response_type: 'token' }],
  ])('with %s does not redirect to an unregistered address [A12]', async (_what, change) => {
    const stranger = 'https://evil.example/callback';
    await expectPage(await authorize({ ...change, redirect_uri: stranger }));
    await expectPage(await authorize({ ...change, client_id: 'unknown', redirect_uri: stranger }));
  });

  test.each([
    ['an error in its scope', { scope: 'nonsense' }],
    ['prompt=none', { prompt: 'none' }],
    ['no challenge', { code_challenge: undefined }],
  ])('with %s does not redirect to a self-registered client [F17]', async (_what, change) => {
    const body = await expectPage(await authorize({ ...change, state: 'a&b' }));
    // The person may still follow a link to the client, which then gets the same error.
    const [, link = ''] = /<a href="(https:[^"]+)"/.exec(body) ?? [];
    const url = new URL(link.replaceAll('&amp;', '&'));
    expect(url.origin + url.pathname).toBe(redirectUri);
    expect(url.searchParams.get('error')).toBeTruthy();
    expect(url.searchParams.get('state')).toBe('a&b');
    expect(body).toContain('Go back to app.example.com');
  });

  test('with an oversized state is not stored [F20]', async () => {
    await expectPage(await authorize({ state: 's'.repeat(4_097) }));
    await expectPage(await authorize({ login_hint: 'x'.repeat(9_000) }, 'POST'));
    expect((await authorize({ state: 's'.repeat(4_096) })).status).toBe(303);
    expect(await countInteractions()).toBe(1);
  });

  test('is displaced by newer ones of the same caller, and of nobody else [F20]', async () => {
    const query = new URLSearchParams(parameters());
    const from = (remoteAddress: string) =>
      service.request(`/authorize?${query}`, {}, { remoteAddress, encrypted: false });
    const first = await from('127.0.0.1');
    await service.database.run(sql`
      WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1000)
      INSERT INTO interactions (id_hash, request, created_at, expires_at, caller)
      SELECT 'filled ' || n, '{}', ${service.clock.now() - 1}, ${service.clock.now() + 60_000}, '127.0.0.9'
      FROM counted`);
    for (let count = 0; count < 5; count += 1) await from('127.0.0.9');
    expect(await countInteractions()).toBe(1_001);
    const page = await service.request(first.headers.get('location') ?? '');
    expect(page.status).toBe(200);
  });

  test('that is refused tells the client of the operator why, with its state and the issuer [L6]', async () => {
    clientId = await registerByOperator();
    const response = await authorize({ code_challenge: undefined, state: 'a&b' });
    expect(response.status).toBe(303);
    const location = new URL(response.headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe(redirectUri);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: 'invalid_request',
      error_description: expect.stringMatching(/^[ -~]+$/),
      state: 'a&b',
      iss: issuer,
    });
  });

  test.each([
    ['plain', { code_challenge_method: 'plain' }],
    ['no method', { code_challenge_method: undefined }],
    ['no challenge', { code_challenge: undefined }],
  ])('cannot be downgraded to %s [A9, S8]', async (_what, change) => {
    expect(await expectPage(await authorize(change))).toContain('error=invalid_request');
    expect(await countInteractions()).toBe(0);
  });

  test('for a foreign host or from a foreign page is refused [A5, L8]', async () => {
    const path = `/authorize?${new URLSearchParams(parameters())}`;
    for (const headers of [{ Host: 'evil.example' }, { Origin: 'https://evil.example' }]) {
      const response = await service.request(path, { headers }, outside);
      expect(response.status).toBe(403);
    }
    const form = await authorize({}, 'POST', { Origin: 'null' });
    expect(form.status).toBe(303);
  });

  test('is not answered to pages of other origins [A5]', async () => {
    const response = await authorize({}, 'GET');
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
  });

  test('beyond the rate limit is refused by a page in a browser [A12]', async () => {
    const { request } = await openTestAuthorization();
    for (let count = 0; count < 600; count++) await request('/authorize');
    const refused = await request('/authorize', { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toContain('text/html');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('is limited for each caller [A12]', async () => {
    for (let count = 0; count < 600; count++) {
      const response = await authorize({ client_id: 'unknown' });
      expect(response.status).toBe(400);
    }
    expect((await authorize()).status).toBe(429);
  });

  test.each(['/authorize', '/register'])('of 100 MB is refused at %s [A12]', async (path) => {
    let sent = 0;
    const megabyte = new Uint8Array(1_000_000);
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 100) controller.close();
        else controller.enqueue(megabyte);
      },
    });
    const response = await service.request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
      duplex: 'half',
    });
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(10);
  });
});

test('the endpoints work the same at their default paths without metadata [S6]', async () => {
  const environment = { TRADEWIND_METADATA: 'off', ...withOwner };
  service = await openTestAuthorization({ environment });
  const metadata = await service.request('/.well-known/oauth-authorization-server');
  expect(metadata.status).toBe(404);
  clientId = await register([redirectUri]);
  const { codeVerifier, codeChallenge } = createPkce();
  const { headers } = await authorize({ code_challenge: codeChallenge });
  const answer = await service.decide(headers.get('location') ?? '');
  const tokens = await service.post('/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: answer.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  });
  expect(tokens).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
});

const outside = { remoteAddress: '192.0.2.1', encrypted: false };

type Change = Record<string, string | undefined>;

function parameters(change: Change = {}): [string, string][] {
  const all: Change = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'xyz',
    ...change,
  };
  return Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

async function authorize(
  change: Change = {},
  method = 'GET',
  headers: Record<string, string> = {},
) {
  const query = new URLSearchParams(parameters(change)).toString();
  if (method === 'GET') return service.request(`/authorize?${query}`, { headers });
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return service.request('/authorize', { method, headers: { ...type, ...headers }, body: query });
}

async function register(redirect_uris: string[]): Promise<string> {
  const body = JSON.stringify({ redirect_uris, token_endpoint_auth_method: 'none' });
  const response = await service.request('/register', { method: 'POST', body });
  return ((await response.json()) as { client_id: string }).client_id;
}

async function registerByOperator(): Promise<string> {
  const body = JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' });
  const token = readFileSync(join(service.dataDir, 'operator.token'), 'utf8').trim();
  const headers = { Authorization: `Bearer ${token}` };
  const response = await service.request('/register', { method: 'POST', headers, body });
  return ((await response.json()) as { client_id: string }).client_id;
}

async function expectPage(response: Response): Promise<string> {
  expect(response.status).toBe(400);
  expect(response.headers.has('location')).toBe(false);
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(await countInteractions()).toBe(0);
  return response.text();
}

async function countInteractions(): Promise<number> {
  const row = await service.database.first<{ count: number }>(
    sql`SELECT COUNT(*) AS count FROM interactions`,
  );
  return row?.count ?? 0;
}
