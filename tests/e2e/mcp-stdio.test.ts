import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { issueToken } from '../support/issue-token.ts';
import { runTradewind, serve } from '../support/run-tradewind.ts';
import { openSwapServer, sender } from '../support/swap-interface.ts';

const launcher = fileURLToPath(new URL('../../bin/tradewind.js', import.meta.url));

/** Starts `tradewind mcp --stdio` as an agent does, and connects to it. */
async function connect(server: string, environment: Record<string, string> = {}) {
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher, 'mcp', '--stdio', '--server', server],
    env: { PATH: process.env.PATH ?? '', ...environment },
    stderr: 'pipe',
  });
  const problems: Error[] = [];
  client.onerror = (error) => problems.push(error);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, problems };
}

/** A server of change notifications that records its requests. */
async function openSubscriptionServer() {
  const asked: string[] = [];
  const one = { name: 'subscriptions/1', state: 'ACTIVE' };
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    const isOperation = request.method !== 'GET';
    response.setHeader('Content-Type', 'application/json');
    if (request.url?.includes('absent')) {
      response.statusCode = 404;
      const message = 'There is no such subscription.';
      response.end(JSON.stringify({ error: { code: 404, message, status: 'NOT_FOUND' } }));
    } else response.end(JSON.stringify(isOperation ? { done: true, response: one } : one));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

describe('tradewind mcp --stdio', () => {
  it('offers the tools of quotes without any credentials [S15]', async () => {
    const { client, problems } = await connect(await openSwapServer());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['get_swap_quote', 'list_chains', 'list_tokens']);
    const quote = await client.callTool({
      name: 'get_swap_quote',
      arguments: {
        chainId: 31337,
        tokenIn: 'ETH',
        tokenOut: 'USDC',
        amount: '1000000000000000000',
        sender,
      },
    });
    expect(quote.structuredContent).toMatchObject({ status: 'Successful' });
    expect(problems).toEqual([]);
  });

  it('takes credentials from the environment and sends them with every request [S15]', async () => {
    const { url, asked } = await openSubscriptionServer();
    const { client } = await connect(url, { TRADEWIND_TOKEN: 'token-of-the-environment' });
    const call = (name: string, given: object) =>
      client.callTool({ name, arguments: { ...given } });
    const made = await call('create_subscription', {
      targetResource: '//swap/chains/1',
      eventTypes: ['tradewind.swap.rpcs.v1.refreshed'],
    });
    expect(made.structuredContent).toMatchObject({ name: 'subscriptions/1' });
    await call('reactivate_subscription', { name: 'subscriptions/1' });
    const missing = await call('get_subscription', { name: 'subscriptions/absent' });
    expect(missing).toMatchObject({ isError: true });
    expect(JSON.stringify(missing.content)).toContain('NOT_FOUND: There is no such subscription.');
    expect(asked).toEqual([
      'POST /v1/subscriptions Bearer token-of-the-environment',
      'POST /v1/subscriptions/1:reactivate Bearer token-of-the-environment',
      'GET /v1/subscriptions/absent Bearer token-of-the-environment',
    ]);
  });

  it('says in a tool error that no server answers', async () => {
    const { client } = await connect('http://127.0.0.1:1');
    const chains = await client.callTool({ name: 'list_chains', arguments: {} });
    expect(chains.isError).toBe(true);
    expect(JSON.stringify(chains.content)).toContain('SERVER_UNREACHABLE');
  });

  it('ends with its input, having written nothing but the protocol', async () => {
    const run = runTradewind(['mcp', '--stdio']);
    expect(await run.ended).toBe(0);
    expect(run.output().stdout).toBe('');
  });

  it('points to /mcp where --stdio is missing', async () => {
    const run = runTradewind(['mcp']);
    expect(await run.ended).toBe(2);
    expect(run.output().stderr).toContain('--stdio');
  });

  it('hands all five event methods on to the server, with the credentials of the process [M62, M58]', async () => {
    const server = await serve();
    const token = await issueToken(server.url, 'swap.read subscriptions.read subscriptions.write');
    const { client } = await connect(server.url, { TRADEWIND_TOKEN: token });
    expect(client.getServerCapabilities()).toMatchObject({
      // The client leaves out the other key, which its library does not know.
      extensions: { 'io.modelcontextprotocol/events': {} },
    });
    const ask = (method: string, params: object) =>
      client.request({ method, params: { ...params } }, z.looseObject({}));
    const { events } = await ask('events/list', {});
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'tradewind.swap.rpcs.v1.refreshed' }),
      ]),
    );
    const rpcs = { name: 'tradewind.swap.rpcs.v1.refreshed' };
    expect(await ask('events/poll', rpcs)).toMatchObject({
      events: [],
      cursor: expect.any(String),
    });
    const delivery = { url: 'https://10.0.0.1/', secret: `whsec_${'A'.repeat(32)}` };
    await expect(ask('events/subscribe', { ...rpcs, delivery })).rejects.toMatchObject({
      code: -32_602,
      data: { field: 'delivery.url', reason: 'address_refused' },
    });
    expect(await ask('events/unsubscribe', { ...rpcs, delivery })).toEqual({});
    await expect(ask('events/stream', { name: 'no.such.v1.event' })).rejects.toMatchObject({
      code: -32_011,
      message: expect.stringContaining('NotFound'),
    });
    const begun = Promise.withResolvers<unknown>();
    client.fallbackNotificationHandler = async (told) => begun.resolve(told);
    const ending = new AbortController();
    const streaming = client
      .request({ method: 'events/stream', params: rpcs }, z.looseObject({}), {
        signal: ending.signal,
      })
      .catch(() => 'cancelled');
    expect(await begun.promise).toMatchObject({
      method: 'notifications/events/active',
      params: { truncated: false },
    });
    ending.abort();
    expect(await streaming).toBe('cancelled');
  });
});
