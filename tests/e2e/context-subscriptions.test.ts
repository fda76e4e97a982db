import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { initialize, message } from '../support/context-endpoint.ts';
import { issueRevocableToken, issueToken } from '../support/issue-token.ts';
import { createMemoryProvider } from '../support/memory-oauth-provider.ts';
import { serve, useServer } from '../support/run-tradewind.ts';

const password = 'correct-horse-battery';
const wish = {
  targetResource: '//swap/chains/1',
  eventTypes: ['tradewind.swap.rpcs.v1.refreshed'],
};

const shared = useServer({ environment: { TRADEWIND_OWNER_PASSWORD: password } });

/** Connects the official client with a token for these scopes. */
async function connect(url: string, scope: string, given?: string) {
  const token = given ?? (await issueToken(url, scope));
  const client = new Client({ name: 'agent', version: '1' });
  const endpoint = new URL('/mcp', url);
  const authProvider = { token: async () => token };
  await client.connect(new StreamableHTTPClientTransport(endpoint, { authProvider }));
  onTestFinished(() => client.close());
  return async (name: string, given: Record<string, unknown>) => {
    const { isError, structuredContent, content } = await client.callTool({
      name,
      arguments: given,
    });
    return { isError, answer: structuredContent as Record<string, unknown>, content };
  };
}

const scopes = 'swap.read subscriptions.read subscriptions.write';

describe('the tools of subscriptions', () => {
  it('create, read, list and delete a subscription', async () => {
    const { url } = shared;
    const call = await connect(url, scopes);
    const { answer: made, content } = await call('create_subscription', wish);
    expect(made, JSON.stringify(content)).toBeDefined();
    const { name } = made;
    expect(made).toMatchObject({ ...wish, state: 'ACTIVE', name: expect.any(String) });
    expect((await call('get_subscription', { name })).answer).toMatchObject({ name });
    const { answer: listed } = await call('list_subscriptions', { eventTypes: wish.eventTypes });
    expect(listed).toMatchObject({ subscriptions: [{ name }] });
    expect((await call('delete_subscription', { name })).answer).toEqual({ deleted: name });
    const gone = await call('get_subscription', { name });
    expect(gone.isError).toBe(true);
    expect(JSON.stringify(gone.content)).toContain('NOT_FOUND');
  });

  it('hide the subscriptions of other principals', async () => {
    const { url } = shared;
    const [ann, eve] = [await connect(url, scopes), await connect(url, scopes)];
    const { answer } = await ann('create_subscription', wish);
    expect(await eve('get_subscription', { name: answer.name })).toMatchObject({ isError: true });
    expect(await eve('delete_subscription', { name: answer.name })).toMatchObject({
      isError: true,
    });
    const { answer: listed } = await eve('list_subscriptions', { eventTypes: wish.eventTypes });
    expect(listed.subscriptions ?? []).toEqual([]);
  });

  it('leave no stream open that would hold up the end of the server [H12]', async () => {
    const server = await serve();
    const token = await issueToken(server.url, scopes);
    const call = await connect(server.url, scopes, token);
    const { answer } = await call('create_subscription', wish);
    const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' };
    const stream = await fetch(`${server.url}/v1/${answer.name}:listen`, { headers });
    expect(stream.status).toBe(200);
    server.process.kill('SIGTERM');
    // This rejects if the stream is cut off: it has to end properly.
    expect(await stream.text()).toContain('retry:');
    expect(await server.ended).toBe(0);
  });

  it('end the streams of a token that is revoked [S1]', async () => {
    const { url } = shared;
    const { token, revoke } = await issueRevocableToken(url, scopes);
    const call = await connect(url, scopes, token);
    const { answer } = await call('create_subscription', wish);
    const headers = {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json, text/event-stream',
    };
    const begun = await fetch(`${url}/mcp`, message(initialize(), headers));
    const session = { 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' };
    const streams = [
      await fetch(`${url}/v1/${answer.name}:listen`, { headers }),
      await fetch(`${url}/mcp`, { headers: { ...headers, ...session } }),
    ];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    await revoke();
    await Promise.all(streams.map((stream) => stream.text()));
  });

  it('make a client ask for reading and writing when it signs in [M66, L5]', async () => {
    const { url } = shared;
    const person = createMemoryProvider(password);
    const open = () => {
      const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
        authProvider: person.provider,
      });
      const client = new Client({ name: 'agent', version: '1' });
      onTestFinished(() => client.close());
      return { client, transport };
    };
    const first = open();
    await expect(first.client.connect(first.transport)).rejects.toThrow(/unauthorized/i);
    await first.transport.finishAuth(person.callback().searchParams);
    expect(person.tokens()?.scope?.split(' ').sort()).toEqual([
      'subscriptions.read',
      'subscriptions.write',
      'swap.read',
    ]);
    const second = open();
    await second.client.connect(second.transport);
    const create = { name: 'create_subscription', arguments: wish };
    expect(await second.client.callTool(create)).toMatchObject({
      structuredContent: { state: 'ACTIVE' },
    });
  });
});
