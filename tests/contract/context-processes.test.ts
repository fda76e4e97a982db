import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { contextLimits } from '../../src/context/limits.ts';
import { contextMigrations } from '../../src/context/store/context-migrations.ts';
import type { AskOptions, PairUseCases } from '../../src/context/use-cases.ts';
import { rateLimitMigrations } from '../../src/kernel/database/kernel-migrations.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import {
  endpoint,
  initialize,
  message,
  openContextEdge,
  swapUseCases,
  tokenOf,
} from '../support/context-endpoint.ts';
import { testEngines } from '../support/test-engines.ts';

const [, { createStore }] = testEngines;
const uri =
  'swap://chains/1/pairs/0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const revisions = ['2025-03-26', '2025-06-18', '2025-11-25'] as const;

type UseCases = NonNullable<Parameters<typeof openContextEdge>[0]>['useCases'];

/** Two processes on one PostgreSQL. `fetch` alternates between them. */
async function openProcesses(useCasesOf: (index: number) => UseCases) {
  const store = await createStore();
  await migrate(await store.open(), [...rateLimitMigrations, ...contextMigrations]);
  const nodes: Awaited<ReturnType<typeof openContextEdge>>[] = [];
  for (const index of [0, 1]) {
    const database = await store.open();
    const node = await openContextEdge({ database, useCases: useCasesOf(index)! });
    onTestFinished(() => node.close());
    nodes.push(node);
  }
  let turn = 0;
  const served = [0, 0];
  const fetch = async (url: string | URL, init?: RequestInit) => {
    turn = 1 - turn;
    served[turn] = (served[turn] ?? 0) + 1;
    return nodes[turn]!.fetch(url, init);
  };
  return { nodes, fetch, served };
}

/** The pairs of one process. `change` moves their price, and `watched` counts the watchers. */
function watchable() {
  const callbacks = new Set<() => void>();
  const pairs: PairUseCases = {
    read: async () => ({ swapPrice: 1 }),
    watch(_pair, onChange) {
      callbacks.add(onChange);
      return () => callbacks.delete(onChange);
    },
  };
  return {
    pairs,
    change() {
      for (const call of callbacks) call();
    },
    watched: () => callbacks.size,
  };
}

const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const subscribe = { jsonrpc: '2.0', id: 3, method: 'resources/subscribe', params: { uri } };

async function begin(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  revision = '2025-11-25',
) {
  const begun = await fetch(endpoint, message(initialize(revision)));
  await begun.text();
  return { 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' };
}

test.each(revisions)(
  'a client of revision %s goes on with its session at whichever process answers [T11]',
  async (revision) => {
    const worlds = [watchable(), watchable()];
    const { fetch, served } = await openProcesses((index) => ({
      swap: swapUseCases,
      pairs: worlds[index]!.pairs,
    }));
    const client = new Client(
      { name: 'agent', version: '1' },
      { supportedProtocolVersions: [revision] },
    );
    const transport = new StreamableHTTPClientTransport(new URL(endpoint), {
      fetch,
      authProvider: { token: async () => tokenOf('ann', 'swap.read') },
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const told = new Promise<string>((resolve) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
        resolve(params.uri),
      );
    });
    for (let times = 0; times < 3; times += 1) {
      expect((await client.listTools()).tools).not.toEqual([]);
      const called = await client.callTool({ name: 'list_chains', arguments: {} });
      expect(called.isError).toBeFalsy();
    }
    // One of the two requests reaches the process that has no notification stream.
    await client.subscribeResource({ uri });
    await client.subscribeResource({ uri });
    for (const _ of worlds) {
      expect((await client.listResources()).resources).toMatchObject([{ uri }]);
    }
    await expect.poll(() => worlds.every(({ watched }) => watched() > 0)).toBe(true);
    for (const { change } of worlds) change();
    expect(await told).toBe(uri);
    await client.unsubscribeResource({ uri });
    for (const _ of worlds) expect((await client.listResources()).resources).toEqual([]);
    expect(Math.min(...served)).toBeGreaterThan(3);
    await transport.terminateSession();
  },
);

test('the watches of one caller are limited over all sessions, even if these subscribe at two processes at the same time [N5]', async () => {
  const { watchesOfCaller, watches } = contextLimits;
  const worlds = [watchable(), watchable()];
  const { nodes } = await openProcesses((index) => ({ pairs: worlds[index]!.pairs }));
  const sessions: { 'Mcp-Session-Id': string }[] = [];
  for (let n = 0; n < watchesOfCaller.value / watches.value + 4; n += 1)
    sessions.push(await begin(nodes[n % 2]!.fetch));
  const asking = sessions.flatMap((session, index) =>
    Array.from({ length: watches.value }, async (_, n) => {
      const tokenIn = `0x${String(index * 100 + n).padStart(40, 'a')}`;
      const params = { uri: uri.replace(/0xe+/, tokenIn) };
      const node = nodes[(index + n) % 2]!;
      return (await node.fetch(endpoint, message({ ...subscribe, id: n, params }, session))).text();
    }),
  );
  const answers = await Promise.all(asking);
  const taken = answers.filter((answer) => answer.includes('"result"'));
  expect(taken).toHaveLength(watchesOfCaller.value);
});

test('a session that one process ended is gone at the other, and nobody else sees it there [T11]', async () => {
  const { nodes } = await openProcesses(() => ({ swap: swapUseCases }));
  const [first, second] = nodes;
  const session = await begin(first!.fetch);
  let id = 10;
  const ask = async (node: typeof first, who = 'ann') => {
    const headers = { ...session, Authorization: `Bearer ${tokenOf(who, 'swap.read')}` };
    const response = await node!.fetch(endpoint, message({ ...list, id: ++id }, headers));
    await response.text();
    return response.status;
  };
  const both = await Promise.all(['eve', 'ann', 'eve', 'ann'].map((who) => ask(second, who)));
  expect(both).toEqual([404, 200, 404, 200]);
  const { headers = {} } = message('', session);
  expect((await first!.fetch(endpoint, { method: 'DELETE', headers })).status).toBe(200);
  await expect.poll(() => ask(second)).toBe(404);
  expect(await ask(first)).toBe(404);
});

test('a session outlives the process that began it [T11]', async () => {
  const { nodes } = await openProcesses(() => ({ swap: swapUseCases }));
  const [first, second] = nodes;
  const session = await begin(first!.fetch);
  await first!.close();
  const response = await second!.fetch(endpoint, message(list, session));
  expect(await response.text()).toContain('list_chains');
});

test('a notification stream that breaks resumes at another process, which notifies of each pair again [T11]', async () => {
  const worlds = [watchable(), watchable()];
  const { nodes } = await openProcesses((index) => ({ pairs: worlds[index]!.pairs }));
  const [first, second] = nodes;
  const session = await begin(first!.fetch);
  await (await first!.fetch(endpoint, message(subscribe, session))).text();
  const headers = message('', session).headers as Record<string, string>;
  const broken = (await first!.fetch(endpoint, { headers })).body!.getReader();
  worlds[0]!.change();
  const [, lastEventId = ''] = /^id: (.+)$/m.exec(await readText(broken)) ?? [];
  // The price moves while nobody listens.
  await broken.cancel();
  const resuming = { headers: { ...headers, 'Last-Event-ID': lastEventId } };
  const resumed = (await second!.fetch(endpoint, resuming)).body!.getReader();
  expect(await readText(resumed)).toContain('notifications/resources/updated');
  worlds[1]!.change();
  expect(await readText(resumed)).toContain(uri);
});

test('an answer whose connection broke is sent by another process, also when it comes later [T11]', async () => {
  const asked = Promise.withResolvers<void>();
  const answering = Promise.withResolvers<void>();
  const chains = {
    ...swapUseCases!.chains,
    async ask() {
      asked.resolve();
      await answering.promise;
      return { chains: [] };
    },
  };
  const { nodes } = await openProcesses(() => ({ swap: { ...swapUseCases!, chains } }));
  const [first, second] = nodes;
  const session = { ...(await begin(first!.fetch)), 'MCP-Protocol-Version': '2025-11-25' };
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'list_chains' } };
  const broken = (await first!.fetch(endpoint, message(call, session))).body!.getReader();
  const [, lastEventId = ''] = /^id: (.+)$/m.exec(await readText(broken)) ?? [];
  await asked.promise;
  await broken.cancel();
  const headers = message('', session).headers as Record<string, string>;
  const resuming = { headers: { ...headers, 'Last-Event-ID': lastEventId } };
  const resumed = await second!.fetch(endpoint, resuming);
  answering.resolve();
  const text = await resumed.text();
  expect(text).toContain('"id":7');
  expect(text).toContain('structuredContent');
});

test('a call is cancelled by a message that reaches another process [T11]', async () => {
  const asked = Promise.withResolvers<AbortSignal>();
  const chains = {
    ...swapUseCases!.chains,
    async ask(_given: object, { signal }: AskOptions) {
      asked.resolve(signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return { chains: [] };
    },
  };
  const { nodes } = await openProcesses(() => ({ swap: { ...swapUseCases!, chains } }));
  const [first, second] = nodes;
  const session = await begin(first!.fetch);
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'list_chains' } };
  await first!.fetch(endpoint, message(call, session));
  const signal = await asked.promise;
  const params = { requestId: 7 };
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
  expect((await second!.fetch(endpoint, message(cancel, session))).status).toBe(202);
  await expect.poll(() => signal.aborted).toBe(true);
});

async function readText(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  return new TextDecoder().decode((await reader.read()).value);
}
