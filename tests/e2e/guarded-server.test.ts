import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../support/find-free-port.ts';
import { serve } from '../support/run-tradewind.ts';

const example = fileURLToPath(new URL('../../examples/guarded-server.ts', import.meta.url));

async function startExample(environment: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, ['--conditions=tradewind-source', example], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
}

/** A client that acts for itself registers and asks for a token. */
async function askForToken(issuer: string, form: Record<string, string>): Promise<string> {
  const registration = await fetch(`${issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_types: ['client_credentials'],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_post',
    }),
  });
  const { client_id, client_secret } = (await registration.json()) as Record<string, string>;
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client_id!,
    client_secret: client_secret!,
    ...form,
  });
  const answer = await fetch(`${issuer}/token`, { method: 'POST', body });
  const { access_token } = (await answer.json()) as Record<string, string>;
  return access_token!;
}

test('the example of a guarded server admits callers with a token for it, and nobody else [S1, L1, L2]', async () => {
  // The authorization server and the example must each know the other's address before they start.
  const port = await findFreePort();
  const resource = `http://localhost:${port}/mcp`;
  const { url: issuer } = await serve({
    args: ['--services', 'authorization'],
    environment: { TRADEWIND_RESOURCES: resource },
  });
  await startExample({ ISSUER: issuer, PORT: String(port) });

  const challenged = await fetch(resource, { method: 'POST' });
  expect(challenged.status).toBe(401);
  const document = `http://localhost:${port}/.well-known/oauth-protected-resource/mcp`;
  const challenge = `Bearer scope="swap.read", resource_metadata="${document}"`;
  expect(challenged.headers.get('www-authenticate')).toBe(challenge);
  expect(await (await fetch(document)).json()).toMatchObject({ authorization_servers: [issuer] });

  const enter = async (form: Record<string, string>) => {
    const token = await askForToken(issuer, form);
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const client = new Client({ name: 'a-client', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(resource), { requestInit }));
    const { content } = await client.callTool({ name: 'get_time', arguments: {} });
    await client.close();
    return content;
  };
  expect(await enter({ resource })).toMatchObject([{ text: expect.stringMatching(/^\d{4}-/) }]);
  await expect(enter({})).rejects.toThrow();
});
