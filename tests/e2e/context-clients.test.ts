import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as later from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { followSignIn } from '../support/follow-sign-in.ts';
import { createMemoryProvider } from '../support/memory-oauth-provider.ts';
import { makeTemporaryDirectory, useServer } from '../support/run-tradewind.ts';

const password = 'correct-horse-battery';
const server = useServer({ environment: { TRADEWIND_OWNER_PASSWORD: password } });
const information = { name: 'a-client-of-others', version: '1' };

type Provider = ReturnType<typeof createMemoryProvider>;

/** What the tests do with any of the clients. */
type Connection = {
  connect(): Promise<void>;
  finishAuth(callback: URL): Promise<void>;
  callTool(name: string): Promise<unknown>;
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  close(): Promise<void>;
};

function openLater(url: URL, { provider }: Provider, revision?: string): Connection {
  const transport = new later.StreamableHTTPClientTransport(url, { authProvider: provider });
  const client = new later.Client(
    information,
    revision === undefined ? {} : { versionNegotiation: { mode: { pin: revision } } },
  );
  return {
    connect: () => client.connect(transport),
    finishAuth: (callback) => transport.finishAuth(callback.searchParams),
    callTool: (name) => client.callTool({ name, arguments: {} }),
    listTools: () => client.listTools(),
    close: () => client.close(),
  };
}

function openEarlier(url: URL, { provider }: Provider): Connection {
  // The provider fits both: the later client added only optional members.
  const authProvider = provider as NonNullable<
    ConstructorParameters<typeof EarlierTransport>[1]
  >['authProvider'];
  const transport = new EarlierTransport(url, authProvider ? { authProvider } : {});
  const client = new EarlierClient(information);
  return {
    connect: () => client.connect(transport as Parameters<typeof client.connect>[0]),
    finishAuth: (callback) => transport.finishAuth(callback.searchParams.get('code') ?? ''),
    callTool: (name) => client.callTool({ name, arguments: {} }),
    listTools: () => client.listTools(),
    close: () => client.close(),
  };
}

describe.each([
  ['@modelcontextprotocol/client', openLater],
  [
    '@modelcontextprotocol/client in revision 2026-07-28',
    (url: URL, provider: Provider) => openLater(url, provider, '2026-07-28'),
  ],
  ['@modelcontextprotocol/sdk', openEarlier],
])('%s', (_name, open) => {
  it('registers, authorizes, calls a tool, refreshes, and is refused once revoked', async () => {
    const { url } = server;
    const endpoint = new URL('/mcp', url);
    const provider = createMemoryProvider(password);

    const first = open(endpoint, provider);
    await expect(first.connect()).rejects.toThrow(/unauthorized/i);
    await first.finishAuth(provider.callback());
    const connection = open(endpoint, provider);
    onTestFinished(() => connection.close());
    await connection.connect();
    expect((await connection.listTools()).tools.map(({ name }) => name)).toContain('list_chains');
    expect(await connection.callTool('list_chains')).toMatchObject({
      structuredContent: { chains: expect.any(Array) },
    });

    const { refresh_token: before } = provider.tokens() ?? {};
    provider.spoil();
    expect(await connection.callTool('list_chains')).not.toMatchObject({ isError: true });
    const { refresh_token: after = '' } = provider.tokens() ?? {};
    expect(after).not.toBe(before);
    expect(provider.redirects()).toBe(1);

    const revoked = await fetch(new URL('/revoke', url), {
      method: 'POST',
      body: new URLSearchParams({ token: after, client_id: provider.clientId() }),
    });
    expect(revoked.status).toBe(200);
    await expect(connection.callTool('list_chains')).rejects.toThrow(/unauthorized/i);
    expect(provider.redirects()).toBe(2);
  });
});

describe.each(['127.0.0.1', 'localhost'])('a client that calls the server %s', (hostname) => {
  it('discovers, authorizes and calls, whichever name of this machine the server goes by [L1, L2]', async () => {
    const { url } = server;
    const endpoint = new URL('/mcp', url);
    endpoint.hostname = hostname;
    const { headers } = await fetch(endpoint);
    expect(headers.get('www-authenticate')).toContain(`"${endpoint.origin}/.well-known/`);
    const provider = createMemoryProvider(password);
    const first = openLater(endpoint, provider);
    await expect(first.connect()).rejects.toThrow(/unauthorized/i);
    await first.finishAuth(provider.callback());
    const connection = openLater(endpoint, provider);
    onTestFinished(() => connection.close());
    await connection.connect();
    expect(await connection.callTool('list_chains')).not.toMatchObject({ isError: true });
  });
});

describe('mcp-remote', () => {
  it('brings a person through the browser and hands the tools to a stdio client', async () => {
    const { url } = server;
    const program = fileURLToPath(
      new URL('../../node_modules/mcp-remote/dist/proxy.js', import.meta.url),
    );
    const home = await makeTemporaryDirectory();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, `${url}/mcp`, '--allow-http'],
      env: { PATH: '/usr/bin:/bin', HOME: home, MCP_REMOTE_CONFIG_DIR: home },
      stderr: 'pipe',
    });
    void followSignIn(transport.stderr as Readable, { server: url, visitor: { password } });
    const client = new later.Client(information);
    onTestFinished(() => client.close());
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('get_swap_quote');
    const chains = await client.callTool({ name: 'list_chains', arguments: {} });
    expect(chains.isError).toBeFalsy();
  });
});
