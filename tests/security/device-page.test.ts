import { expect, test } from 'vitest';
import { openTestAuthorization, withOwner } from '../support/open-test-authorization.ts';
import { createTestBrowser, locationOf, signIn } from '../support/test-browser.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

async function startDevice() {
  const service = await openTestAuthorization({ environment: withOwner });
  const post = async (path: string, parameters: Record<string, string>) => {
    const body = new URLSearchParams(parameters);
    return (await (await service.request(path, { method: 'POST', body })).json()) as Record<
      string,
      string
    >;
  };
  const response = await service.request('/register', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: 'A television',
      grant_types: [grantType, 'refresh_token'],
      token_endpoint_auth_method: 'none',
      redirect_uris: [],
    }),
  });
  const { client_id } = (await response.json()) as { client_id: string };
  const started = await post('/device_authorization', { client_id });
  const poll = () =>
    post('/token', { grant_type: grantType, client_id, device_code: String(started.device_code) });
  return { service, poll, userCode: String(started.user_code) };
}

test.each([
  ['allow', 'Connected', { access_token: expect.any(String) }],
  ['deny', 'Not connected', { error: 'access_denied' }],
])('a person types the code of a device and decides: %s', async (decision, title, polled) => {
  const { service, poll, userCode } = await startDevice();
  const browser = createTestBrowser(service);
  const page = await browser.open(`/device?user_code=${userCode}`);
  expect(page.text).toContain(`value="${userCode}"`);
  const typed = userCode.toLowerCase().replace('-', ' ');
  const consent = await signIn(
    browser,
    await browser.follow(await browser.submit(page, 'code', { user_code: typed })),
  );
  expect(consent.text).toContain('To the device that showed you the code');
  const decided = await browser.submit(consent, 'consent', { decision });
  expect(locationOf(decided)).toMatch(/^\/device\//);
  expect((await browser.follow(decided)).text).toContain(`<h1>${title}</h1>`);
  service.clock.advance(10_000);
  expect(await poll()).toMatchObject(polled);
});

test('codes cannot be found by trying: wrong ones are limited by caller [A12]', async () => {
  const { service, userCode } = await startDevice();
  const browser = createTestBrowser(service);
  const page = await browser.open('/device');
  const first = await browser.submit(page, 'code', { user_code: 'BBBB-BBBB' });
  expect([first.status, first.text]).toEqual([
    400,
    expect.stringContaining('No device is waiting'),
  ]);
  for (let tries = 0; tries < 60; tries += 1) {
    await browser.submit(page, 'code', { user_code: 'BBBB-BBBB' });
  }
  expect((await browser.submit(page, 'code', { user_code: userCode })).status).toBe(429);
});

test('codes cannot be found by trying many at the same time [A12]', async () => {
  const { service } = await startDevice();
  const browser = createTestBrowser(service);
  const page = await browser.open('/device');
  const tries = Array.from({ length: 80 }, () =>
    browser.submit(page, 'code', { user_code: 'BBBB-BBBB' }),
  );
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 400)).toHaveLength(61);
  expect(statuses.filter((status) => status === 429)).toHaveLength(19);
});
