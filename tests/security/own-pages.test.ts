import { describe, expect, test } from 'vitest';
import { createPkce } from '../../src/authorization/protocol/pkce.ts';
import { sql } from '../../src/kernel/database/sql.ts';
import {
  issuer,
  openTestAuthorization,
  type TestAuthorization,
  withOwner,
} from '../support/open-test-authorization.ts';
import { createTestBrowser, locationOf, openInteraction, signIn } from '../support/test-browser.ts';

const callback = `${issuer}/console/callback`;
const open = () => openTestAuthorization({ environment: withOwner });

function askFor(parameters: Record<string, string> = {}) {
  const { codeVerifier, codeChallenge } = createPkce();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'tradewind-console',
    redirect_uri: callback,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...parameters,
  });
  return { path: `/authorize?${query}`, codeVerifier };
}

describe('the console as a client of its own server', () => {
  test('is allowed by signing in alone, and gets nothing without a proof of its key [K11]', async () => {
    const service = await open();
    const browser = createTestBrowser(service);
    const { path, codeVerifier } = askFor();
    const page = await openInteraction(browser, path);
    expect(page.text).toContain('Sign in');
    const allowed = await signIn(browser, page);
    expect(allowed.status).toBe(303);
    const target = new URL(allowed.headers.get('location') ?? '');
    expect(target.origin + target.pathname).toBe(callback);
    const { status, body } = await service.post('/token', {
      grant_type: 'authorization_code',
      code: target.searchParams.get('code') ?? '',
      code_verifier: codeVerifier,
      client_id: 'tradewind-console',
    });
    expect(status).toBe(400);
    expect(body.error).toBe('invalid_dpop_proof');
  });

  test.each([
    'http://localhost:3000/console/callback',
    'http://127.0.0.1:8787/console/callback',
    `${issuer}/console/callback?next=1`,
    'https://console.example/console/callback',
  ])('sends no code to %s, where another program may listen [K11]', async (redirectUri) => {
    const service = await open();
    const browser = createTestBrowser(service);
    const refused = await browser.open(askFor({ redirect_uri: redirectUri }).path);
    expect(refused.status).toBe(400);
    expect(refused.headers.get('location')).toBeNull();
  });

  test('asks a signed-in person nothing, and a signed-out one everything again [K11]', async () => {
    const service = await open();
    const browser = createTestBrowser(service);
    await signIn(browser, await openInteraction(browser, askFor().path));
    const again = await browser.follow(await browser.open(askFor().path));
    expect(locationOf(again)).toMatch(/^\/console\/callback\?code=/);
    const left = await service.request('/account/sign-out', {
      method: 'POST',
      headers: { Origin: issuer, Cookie: cookieOf(browser) },
    });
    expect(left.status).toBe(204);
    const anew = await openInteraction(browser, askFor().path);
    expect(anew.text).toContain('data-form="sign-in"');
  });

  test.each(['same-site', 'cross-site'])(
    'is allowed by a click alone where a %s page sent the browser [K11, N2]',
    async (site) => {
      const service = await open();
      const browser = createTestBrowser(service);
      await signIn(browser, await openInteraction(browser, askFor().path));
      const before = await countGrants(service);
      // After redirects browsers report the most distant site of the chain.
      const sent = { 'Sec-Fetch-Site': site };
      const page = await browser.open(locationOf(await browser.open(askFor().path, sent)), sent);
      expect([page.status, page.headers.get('location')]).toEqual([200, null]);
      expect(page.text).toContain('>Continue</button>');
      expect(await countGrants(service)).toBe(before);
      const allowed = await browser.submit(page, 'consent');
      expect(locationOf(allowed)).toMatch(/^\/console\/callback\?code=/);
      expect(await countGrants(service)).toBe(before + 1);
    },
  );

  test.each(['same-origin', 'none'])(
    'asks nothing where the browser came by itself or from a page of the server: %s [K11]',
    async (site) => {
      const service = await open();
      const browser = createTestBrowser(service);
      await signIn(browser, await openInteraction(browser, askFor().path));
      const sent = { 'Sec-Fetch-Site': site };
      const again = await browser.open(locationOf(await browser.open(askFor().path, sent)), sent);
      expect(locationOf(again)).toMatch(/^\/console\/callback\?code=/);
    },
  );

  test('asks for a click also where the person has signed in since, for something else [K11, N2]', async () => {
    const service = await open();
    const browser = createTestBrowser(service);
    const planted = locationOf(await createTestBrowser(service).open(askFor().path));
    service.clock.advance(1_000);
    await signIn(browser, await openInteraction(browser, askFor().path));
    const sent = { 'Sec-Fetch-Site': 'cross-site' };
    for (const path of [planted, `${planted}?signed_in=${'a'.repeat(43)}`]) {
      expect((await browser.open(path, sent)).text).toContain('>Continue</button>');
    }
  });

  test('lets no page of another origin sign anybody out [K11]', async () => {
    const service = await open();
    const browser = createTestBrowser(service);
    await signIn(browser, await openInteraction(browser, askFor().path));
    for (const origin of ['null', 'http://localhost:3000', 'https://evil.example']) {
      const refused = await service.request('/account/sign-out', {
        method: 'POST',
        headers: { Origin: origin, Cookie: cookieOf(browser) },
      });
      expect([400, 403]).toContain(refused.status);
    }
    const again = await browser.follow(await browser.open(askFor().path));
    expect(again.status).toBe(303);
  });
});

async function countGrants({ database }: TestAuthorization): Promise<number> {
  const row = await database.first<{ n: number }>(sql`SELECT COUNT(*) AS n FROM grants`);
  return row?.n ?? 0;
}

function cookieOf({ cookies }: { cookies: Map<string, string> }): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
