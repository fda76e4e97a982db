import { expect, it } from 'vitest';
import { initialize, message } from '../support/context-endpoint.ts';
import { issueToken } from '../support/issue-token.ts';
import { useServer } from '../support/run-tradewind.ts';

const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

const server = useServer();

/** A session at the endpoint of the server. */
async function begin() {
  const { url } = server;
  const endpoint = `${url}/mcp`;
  const token = await issueToken(url, 'swap.read');
  const own = { Authorization: `Bearer ${token}` };
  const begun = await fetch(endpoint, message(initialize(), own));
  await begun.text();
  const session = { 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' };
  const ask = async (headers: Record<string, string>, address = endpoint) => {
    const response = await fetch(address, message(list, { ...session, ...headers }));
    await response.text();
    return { status: response.status, challenge: response.headers.get('www-authenticate') };
  };
  return { url, endpoint, token, own, ask };
}

it('wants the token again at the second request of a session [S3, S1]', async () => {
  const { url, ask, own } = await begin();
  expect((await ask(own)).status).toBe(200);
  const { status, challenge } = await ask({ Authorization: '' });
  expect(status).toBe(401);
  expect(challenge).not.toContain('error=');
  expect(challenge).toContain(
    `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`,
  );
  expect(challenge).toContain('scope="swap.read subscriptions.read subscriptions.write"');
  const bad = await ask({ Authorization: 'Bearer nonsense' });
  expect(bad).toMatchObject({ status: 401, challenge: expect.stringContaining('invalid_token') });
});

it('takes no token from the address [S4]', async () => {
  const { ask, endpoint, token } = await begin();
  const { status } = await ask({ Authorization: '' }, `${endpoint}?access_token=${token}`);
  expect(status).toBe(401);
});

it('refuses a session to a caller who only knows its id', async () => {
  const { url, ask, own } = await begin();
  const other = { Authorization: `Bearer ${await issueToken(url, 'swap.read')}` };
  expect((await ask(other)).status).toBe(404);
  expect((await ask(own)).status).toBe(200);
});

it.each(['null', 'https://evil.example', 'http://localhost.evil.example'])(
  'refuses pages of the origin %s [A5, L8]',
  async (Origin) => {
    const { ask, own } = await begin();
    expect((await ask({ ...own, Origin })).status).toBe(403);
  },
);

it('names the scope that a tool needs [S2, L5]', async () => {
  const { endpoint, own } = await begin();
  const params = { name: 'delete_subscription', arguments: { name: 'subscriptions/1' } };
  const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params };
  const response = await fetch(endpoint, message(call, own));
  expect(response.status).toBe(403);
  const challenge = response.headers.get('www-authenticate');
  expect(challenge).toContain('error="insufficient_scope"');
  expect(challenge).toContain('scope="subscriptions.write"');
});
