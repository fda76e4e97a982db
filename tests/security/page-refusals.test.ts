import { expect, test } from 'vitest';
import { openTestAuthorization } from '../support/open-test-authorization.ts';

/** As browsers send it when a person opens an address. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test.each([
  ['a method that is not served', 405, { method: 'PUT' }, 'does not answer PUT'],
  ['another host', 403, { headers: { Host: 'evil.example' } }, 'evil.example'],
  [
    'a form of another site',
    403,
    { method: 'POST', headers: { Origin: 'https://evil.example' } },
    'https://evil.example',
  ],
] as const)('a browser is shown a page for %s', async (_what, status, init, text) => {
  const { request } = await openTestAuthorization();
  const headers = { Accept: browser, ...('headers' in init ? init.headers : {}) };
  for (const path of ['/account', '/device']) {
    const response = await request(path, { ...init, headers });
    expect([path, response.status]).toEqual([path, status]);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).toContain(text);
  }
});

test('the page keeps the headers of the refusal', async () => {
  const { request } = await openTestAuthorization();
  const response = await request('/account', { method: 'PUT', headers: { Accept: browser } });
  expect(response.headers.get('allow')).toContain('GET');
});

test.each(['application/json', '*/*', 'application/json, text/html;q=0.5'])(
  'whoever accepts %s gets the error as JSON',
  async (accept) => {
    const { request } = await openTestAuthorization();
    const response = await request('/account', { method: 'PUT', headers: { Accept: accept } });
    expect(response.status).toBe(405);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  },
);

test('at /token a browser too gets a refusal as JSON', async () => {
  const { request } = await openTestAuthorization();
  const headers = { Accept: browser, Host: 'evil.example' };
  const response = await request('/token', { method: 'POST', headers });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ error: 'invalid_request' });
});
