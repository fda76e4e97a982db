import { expect, test } from 'vitest';
import { issueToken } from '../support/issue-token.ts';
import { useServer } from '../support/run-tradewind.ts';

const server = useServer({ environment: { TRADEWIND_DEVCHAIN: 'auto' } });
const deep = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;

const post = (path: string, body: string, more: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...more,
    },
    body,
  });

test.each([
  [
    '/register',
    `{"redirect_uris":["http://localhost/"],"jwks":${deep}}`,
    { error: 'invalid_client_metadata' },
  ],
  ['/register', deep, { error: 'invalid_client_metadata' }],
  [
    '/rpc/31337',
    `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[${deep}]}`,
    { jsonrpc: '2.0', error: { code: -32600 } },
  ],
  [
    '/rpc/31337',
    `{"jsonrpc":"2.0","id":${deep},"method":"eth_chainId"}`,
    { jsonrpc: '2.0', error: { code: -32600 } },
  ],
])(
  'JSON that is nested too deep is refused at %s in its envelope [F21]',
  async (path, body, envelope) => {
    const response = await post(path, body);
    expect([response.status, await response.json()]).toMatchObject([400, envelope]);
  },
);

test.each(['/mcp', '/v1/subscriptions', '/v1/events'])(
  'JSON that is nested too deep is refused behind a token at %s [F21]',
  async (path) => {
    const token = await issueToken(server.url, 'swap.read subscriptions.write events.publish');
    const response = await post(path, deep, { Authorization: `Bearer ${token}` });
    expect(response.status).toBe(400);
    expect(await response.json()).toHaveProperty('error');
  },
);
