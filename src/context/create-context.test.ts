import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  endpoint,
  initialize,
  message,
  openContextEdge,
  openStore,
  swapUseCases,
  tokenOf,
} from '../../tests/support/context-endpoint.ts';
import { eventually } from '../../tests/support/eventually.ts';
import { createFakeClock } from '../../tests/support/fake-clock.ts';
import { sender, unroutedAnswer, usdc } from '../../tests/support/swap-interface.ts';
import { ContextError } from './context-error.ts';
import type { ContextOptions } from './create-context.ts';
import { contextLimits } from './limits.ts';
import { boundWatches, createPairWatches } from './resources/pair-watches.ts';
import type { AskOptions, ContextUseCases, PairUseCases } from './use-cases.ts';

const revisions = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
type Revision = (typeof revisions)[number];

const allScopes = ['swap.read', 'subscriptions.read', 'subscriptions.write'];

/** Connects the official client in one revision of the protocol. */
async function connect(
  options: Partial<ContextOptions> = {},
  { revision = '2025-11-25', token = tokenOf('ann', ...allScopes) }: ConnectOptions = {},
) {
  const context = await openContextEdge(options);
  return { client: await connectTo(context, { revision, token }), ...context };
}

async function connectTo(
  context: Pick<Awaited<ReturnType<typeof openContextEdge>>, 'fetch'>,
  { revision, token }: Required<ConnectOptions>,
) {
  const client = new Client(
    { name: 'test', version: '1' },
    revision === '2026-07-28'
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] },
  );
  const transport = new StreamableHTTPClientTransport(new URL(endpoint), {
    fetch: context.fetch,
    authProvider: { token: async () => token },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

type ConnectOptions = { revision?: Revision; token?: string };

const quoteArguments = {
  chainId: 31337,
  tokenIn: 'eth',
  tokenOut: usdc.address,
  amount: '1000000000000000000',
  sender,
};

function textOf(result: object): string {
  const [first] = (result as { content: readonly { text: string }[] }).content;
  return first?.text ?? '';
}

describe.each(revisions)('in revision %s', (revision) => {
  it('offers the tools whose use cases are there, with schemas and hints', async () => {
    const { client } = await connect({}, { revision });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['get_swap_quote', 'list_chains', 'list_tokens']);
    for (const { title, description, inputSchema, annotations } of tools) {
      expect(title).toBeTruthy();
      expect(description?.length).toBeGreaterThan(40);
      expect(inputSchema.type).toBe('object');
      expect(annotations).toMatchObject({ readOnlyHint: true });
    }
  });

  it('quotes a swap, in words and in the fields of the interface', async () => {
    const { client } = await connect({}, { revision });
    const result = await client.callTool({ name: 'get_swap_quote', arguments: quoteArguments });
    expect(result.isError).toBeFalsy();
    expect(textOf(result)).toContain('1 ETH gives about 2990.95 USDC');
    expect(result.structuredContent).toMatchObject({
      status: 'Successful',
      expectedAmountOut: '2990950000',
    });
  });

  it('lists chains and tokens', async () => {
    const { client } = await connect({}, { revision });
    const chains = await client.callTool({ name: 'list_chains', arguments: {} });
    expect(chains.structuredContent).toMatchObject({ chains: [{ chainId: 31337 }] });
    expect(textOf(chains)).toContain('31337: Development (ETH)');
    const tokens = await client.callTool({ name: 'list_tokens', arguments: { chainId: 31337 } });
    expect(tokens.structuredContent).toMatchObject({
      tokens: expect.arrayContaining([expect.objectContaining({ symbol: 'USDC' })]),
    });
  });

  it('answers an invalid call with an error that names every wrong argument', async () => {
    const { client } = await connect({}, { revision });
    const result = await client.callTool({
      name: 'get_swap_quote',
      arguments: { ...quoteArguments, amount: '0', sender: 'vitalik.eth' },
    });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/INVALID_PARAMS: .*amount is "0" but must be above 0/);
    expect(textOf(result)).toContain('sender is "vitalik.eth"');
  });

  it('notifies of a changed pair as long as the client watches it', async () => {
    const pair = watchedPair();
    const { client } = await connect(
      { useCases: { swap: swapUseCases, pairs: pair.pairs } },
      { revision },
    );
    const told = Promise.withResolvers<string>();
    client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      told.resolve(params.uri),
    );
    const stop = await subscribe(client, { revision, uri: pair.uri });
    await pair.watched;
    pair.change();
    expect(await told.promise).toBe(pair.uri);
    await stop();
    await pair.unwatched;
  });

  it('reads the price of a pair', async () => {
    const { pairs, uri } = watchedPair();
    const { client } = await connect({ useCases: { pairs } }, { revision });
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([
      { uri, mimeType: 'application/json', text: '{"swapPrice":2990.95}' },
    ]);
    await expect(
      client.readResource({ uri: 'swap://chains/31337/pairs/0x12-0x34' }),
    ).rejects.toThrow(/swap:\/\/chains\/\{chainId\}/);
  });
});

async function subscribe(client: Client, options: { revision: Revision; uri: string }) {
  const { revision, uri } = options;
  if (revision === '2026-07-28') {
    const listening = await client.listen({ resourceSubscriptions: [uri] });
    return () => listening.close();
  }
  await client.subscribeResource({ uri });
  return async () => void (await client.unsubscribeResource({ uri }));
}

/** A pair whose price changes when the test says so. */
function watchedPair() {
  const watched = Promise.withResolvers<void>();
  const unwatched = Promise.withResolvers<void>();
  const callbacks = new Set<() => void>();
  const pairs: PairUseCases = {
    read: async () => ({ swapPrice: 2990.95 }),
    watch: (_pair, onChange) => {
      callbacks.add(onChange);
      watched.resolve();
      return () => {
        callbacks.delete(onChange);
        unwatched.resolve();
      };
    },
  };
  return {
    pairs,
    uri: `swap://chains/31337/pairs/${usdc.address}-${usdc.address}`,
    watched: watched.promise,
    unwatched: unwatched.promise,
    change: () => {
      for (const callback of callbacks) callback();
    },
    count: () => callbacks.size,
  };
}

describe('the guard in front', () => {
  it('is called for every request of a session [S3]', async () => {
    const { fetch } = await openContextEdge();
    const begun = await fetch(endpoint, message(initialize()));
    const session = { 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' };
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    expect((await fetch(endpoint, message(list, session))).status).toBe(200);
    const { Authorization: _dropped, ...headers } = message(list, session).headers as Record<
      string,
      string
    >;
    expect((await fetch(endpoint, { ...message(list), headers })).status).toBe(401);
    expect((await fetch(endpoint, { headers: { ...headers, ...session } })).status).toBe(401);
    expect((await fetch(endpoint, { method: 'DELETE', headers })).status).toBe(401);
  });

  it('names the initial scopes to a caller without a token, and those of a tool to one with too few [L5]', async () => {
    const { fetch } = await openContextEdge();
    const anonymous = await fetch(endpoint, message(initialize(), { Authorization: '' }));
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers.get('www-authenticate')).toBe('Bearer scope="swap.read"');
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_chains' } };
    const poor = { Authorization: `Bearer ${tokenOf('ann', 'events.publish')}` };
    const refused = await fetch(endpoint, message(call, poor));
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('scope="swap.read"');
    const batch = [initialize(), call].map((one, id) => ({ ...one, id }));
    expect((await fetch(endpoint, message(batch, poor))).status).toBe(403);
    expect((await fetch(endpoint, message(initialize(), poor))).status).toBe(200);
  });

  it('is called before the body is parsed', async () => {
    const { fetch } = await openContextEdge();
    const broken = { ...message(''), body: '{"jsonrpc":' };
    const { headers = {} } = message('', { Authorization: '' });
    expect((await fetch(endpoint, { ...broken, headers })).status).toBe(401);
    expect((await fetch(endpoint, broken)).status).toBe(400);
  });
});

it('serves requests once the database is back, though it was down at the first one [N10]', async () => {
  const database = await openStore();
  const store = { ...database };
  store.listen = () => Promise.reject(new Error('away'));
  const { fetch } = await openContextEdge({ database: store });
  expect((await fetch(endpoint, message(initialize()))).status).toBe(500);
  store.listen = database.listen;
  expect((await fetch(endpoint, message(initialize()))).status).toBe(200);
});

describe('the edge in front', () => {
  it.each(['null', 'https://evil.example'])('refuses the Origin %s [A5, L8]', async (origin) => {
    const { fetch } = await openContextEdge();
    const response = await fetch(endpoint, message(initialize(), { Origin: origin }));
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32000 } });
  });

  it('refuses a foreign Host [A5]', async () => {
    const { fetch } = await openContextEdge();
    const response = await fetch('http://evil.example/mcp', message(initialize()));
    expect(response.status).toBe(403);
  });

  it('refuses a large body and a foreign method', async () => {
    const { fetch } = await openContextEdge();
    const large = message({ ...initialize(), filler: 'x'.repeat(70_000) });
    expect((await fetch(endpoint, large)).status).toBe(413);
    expect((await fetch(endpoint, { method: 'PUT' })).status).toBe(405);
  });
});

describe('a session', () => {
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

  async function begin(options: Partial<ContextOptions> = {}) {
    const context = await openContextEdge(options);
    const begun = await context.fetch(endpoint, message(initialize()));
    await begun.text();
    const id = begun.headers.get('mcp-session-id') ?? '';
    return { ...context, session: { 'Mcp-Session-Id': id } };
  }

  it('does not exist for any caller but its own', async () => {
    const { fetch, session } = await begin();
    const other = { Authorization: `Bearer ${tokenOf('eve', 'swap.read')}` };
    expect((await fetch(endpoint, message(list, { ...session, ...other }))).status).toBe(404);
    expect((await fetch(endpoint, message(list, session))).status).toBe(200);
  });

  it('acts with the scopes of the current token, not of the one that began it', async () => {
    const scopes: (readonly string[])[] = [];
    const chains = {
      ...swapUseCases!.chains,
      ask: async (_given: object, { caller }: AskOptions) => {
        scopes.push(caller.scope);
        return { chains: [] };
      },
    };
    const { fetch, session } = await begin({ useCases: { swap: { ...swapUseCases!, chains } } });
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_chains' } };
    const wider = { Authorization: `Bearer ${tokenOf('ann', 'swap.read', 'admin')}` };
    await (await fetch(endpoint, message(call, session))).text();
    await (await fetch(endpoint, message(call, { ...session, ...wider }))).text();
    expect(scopes).toEqual([['swap.read'], ['swap.read', 'admin']]);
  });

  it('ends by DELETE', async () => {
    const { fetch, session } = await begin();
    const { headers } = message(list, session);
    expect((await fetch(endpoint, { method: 'DELETE', headers: headers ?? {} })).status).toBe(200);
    expect((await fetch(endpoint, message(list, session))).status).toBe(404);
  });

  it('is asked for by requests that need one', async () => {
    const { fetch } = await begin();
    const response = await fetch(endpoint, message(list));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('Mcp-Session-Id');
  });

  it('ends, the least recently used first, where one caller begins too many', async () => {
    const { fetch, session } = await begin();
    for (let count = 0; count < 64; count += 1) {
      await (await fetch(endpoint, message(initialize()))).text();
    }
    expect((await fetch(endpoint, message(list, session))).status).toBe(404);
  });

  it('expires after half an hour without a request', async () => {
    const clock = createFakeClock();
    const { fetch, session } = await begin({ clock });
    clock.advance(31 * 60_000);
    const other = { Authorization: `Bearer ${tokenOf('eve')}` };
    await (await fetch(endpoint, message(initialize(), other))).text();
    expect((await fetch(endpoint, message(list, session))).status).toBe(404);
  });

  it('reads the version of the protocol under both names [S7]', async () => {
    const { fetch, session } = await begin();
    for (const name of ['Ctx-Protocol-Version', 'MCP-Protocol-Version']) {
      const known = message(list, { ...session, [name]: '2025-03-26' });
      expect((await fetch(endpoint, known)).status).toBe(200);
      const unknown = message(list, { ...session, [name]: '1999-01-01' });
      expect((await fetch(endpoint, unknown)).status).toBe(400);
    }
  });

  it('resumes a broken stream after the last event that arrived', async () => {
    const pair = watchedPair();
    const { fetch, session } = await begin({ useCases: { pairs: pair.pairs } });
    const subscribing = {
      jsonrpc: '2.0',
      id: 3,
      method: 'resources/subscribe',
      params: { uri: pair.uri },
    };
    await (await fetch(endpoint, message(subscribing, session))).text();
    const headers = message(list, session).headers ?? {};
    const stream = (await fetch(endpoint, { headers })).body?.getReader();
    pair.change();
    const first = new TextDecoder().decode((await stream?.read())?.value);
    const [, lastEventId = ''] = /^id: (.+)$/m.exec(first) ?? [];
    await stream?.cancel();
    pair.change();
    const resumed = await fetch(endpoint, {
      headers: { ...headers, 'Last-Event-ID': lastEventId } as Record<string, string>,
    });
    const missed = new TextDecoder().decode((await resumed.body?.getReader().read())?.value);
    expect(missed).toContain('notifications/resources/updated');
  });

  it('ends with the token of its last request, once that is revoked [S1]', async () => {
    const first = revocableCaller();
    const second = revocableCaller();
    let token = first;
    const pair = watchedPair();
    const protect = () => token.protect();
    const { fetch, session } = await begin({ protect, useCases: { pairs: pair.pairs } });
    const watching = {
      jsonrpc: '2.0',
      id: 3,
      method: 'resources/subscribe',
      params: { uri: pair.uri },
    };
    const ask = async (body: object) => {
      const response = await fetch(endpoint, message(body, session));
      await response.text();
      return response.status;
    };
    await ask(watching);
    token = second;
    expect(await ask(list)).toBe(200);
    first.revoke();
    expect(await ask(list)).toBe(200);
    second.revoke();
    await pair.unwatched;
    token = revocableCaller();
    expect(await ask(list)).toBe(404);
    expect([first, second, token].map(({ waiting }) => waiting())).toEqual([0, 0, 0]);
  });

  it.each(['by its client', 'with the server'])('ended %s stops its token watch', async (how) => {
    const token = revocableCaller();
    const { fetch, session, close } = await begin({ protect: token.protect });
    expect(token.waiting()).toBe(1);
    if (how === 'with the server') await close();
    else await fetch(endpoint, { method: 'DELETE', headers: message('', session).headers ?? {} });
    expect(token.waiting()).toBe(0);
  });

  it('does not begin with a token that was just revoked [S1]', async () => {
    const token = revocableCaller();
    token.revoke();
    const { fetch, session } = await begin({ protect: token.protect });
    expect((await fetch(endpoint, message(list, session))).status).toBe(404);
  });
});

describe('a stream', () => {
  it('ends when its token does', async () => {
    const clock = createFakeClock();
    const { fetch } = await openContextEdge({
      clock,
      protect: async () => caller(clock.now() + 60_000),
    });
    const begun = await fetch(endpoint, message(initialize()));
    const session = { 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' };
    const { headers = {} } = message('', session);
    const stream = await fetch(endpoint, { headers });
    clock.advance(60_000);
    expect(await stream.text()).toBe('');
  });

  it('ends when its token is revoked [S1]', async () => {
    const { protect, revoke } = revocableCaller();
    const { fetch } = await openContextEdge({ protect });
    const begun = await fetch(endpoint, message(initialize()));
    const session = { 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' };
    const { headers = {} } = message('', session);
    const stream = await fetch(endpoint, { headers });
    revoke();
    expect(await stream.text()).toBe('');
  });

  it.each(['while it is open', 'before it begins'])(
    'ends when its token is revoked %s, in revision 2026-07-28 [S1]',
    async (moment) => {
      const { protect, revoke } = revocableCaller();
      const pair = watchedPair();
      const revision = '2026-07-28';
      const { client } = await connect({ protect, useCases: { pairs: pair.pairs } }, { revision });
      if (moment === 'before it begins') revoke();
      const listening = subscribe(client, { revision, uri: pair.uri });
      await pair.watched;
      revoke();
      await pair.unwatched;
      await listening.catch(() => {});
    },
  );

  it('stays when a second one is refused', async () => {
    const pair = watchedPair();
    const { fetch } = await openContextEdge({ useCases: { pairs: pair.pairs } });
    const begun = await fetch(endpoint, message(initialize()));
    const session = { 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' };
    const { headers = {} } = message('', session);
    const stream = (await fetch(endpoint, { headers })).body?.getReader();
    expect((await fetch(endpoint, { headers })).status).toBe(409);
    const params = { uri: pair.uri };
    const subscribing = { jsonrpc: '2.0', id: 3, method: 'resources/subscribe', params };
    await (await fetch(endpoint, message(subscribing, session))).text();
    pair.change();
    const told = new TextDecoder().decode((await stream?.read())?.value);
    expect(told).toContain('notifications/resources/updated');
  });

  it.each(['2025-11-25', '2026-07-28'] as const)(
    'ends when the server does, in revision %s',
    async (revision) => {
      const pair = watchedPair();
      const { client, close } = await connect({ useCases: { pairs: pair.pairs } }, { revision });
      await subscribe(client, { revision, uri: pair.uri });
      await pair.watched;
      await close();
      await pair.unwatched;
      expect(pair.count()).toBe(0);
    },
  );
});

describe('pairs', () => {
  it.each(revisions)('are watched up to a bound, in revision %s', async (revision) => {
    const { pairs } = watchedPair();
    const { client } = await connect({ useCases: { pairs } }, { revision });
    const uris = Array.from(
      { length: 33 },
      (_, index) => `swap://chains/${index + 1}/pairs/${usdc.address}-${sender}`,
    );
    const watchAll = async () => {
      if (revision === '2026-07-28')
        return void (await client.listen({ resourceSubscriptions: uris }));
      for (const uri of uris) await client.subscribeResource({ uri });
    };
    await expect(watchAll()).rejects.toThrow(/At most 32 pairs/);
  });
});

describe('what one caller watches', () => {
  const uriOf = (n: number) =>
    `swap://chains/1/pairs/0x${String(n).padStart(40, 'a')}-${usdc.address}`;
  const token = (who: string) => ({ Authorization: `Bearer ${tokenOf(who, ...allScopes)}` });

  it('is bounded over all its streams, in number and in pairs, and others have room [N5]', async () => {
    const context = await openContextEdge({ useCases: { pairs: watchedPair().pairs } });
    onTestFinished(() => context.close());
    const clientOf = (who: string) =>
      connectTo(context, { revision: '2026-07-28', token: tokenOf(who, ...allScopes) });
    const [ann, bob, carol] = await Promise.all(['ann', 'bob', 'carol'].map(clientOf));
    const listen = (client: Client | undefined, resourceSubscriptions = [uriOf(0)]) =>
      client?.listen({ resourceSubscriptions });
    const { listenersOfCaller, watchesOfCaller, watches } = contextLimits;
    // All at once, so that a limit which counts too late would let more of them in.
    const asked = Array.from({ length: listenersOfCaller.value + 8 }, () => listen(ann));
    const answers = await Promise.allSettled(asked);
    const open = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(open).toHaveLength(listenersOfCaller.value);
    await expect(listen(ann)).rejects.toThrow(/You have 32 open streams/);
    await listen(bob);
    await open[0]?.close();
    await eventually(async () => void (await listen(ann)));

    const some = Array.from({ length: watches.value }, (_, n) => uriOf(n));
    for (let n = 0; n < watchesOfCaller.value / watches.value; n++) await listen(carol, some);
    await expect(listen(carol)).rejects.toThrow(/your streams watch 256 pairs/);
  });

  it('is bounded over all its sessions, and others have room [N5]', async () => {
    const context = await openContextEdge({ useCases: { pairs: watchedPair().pairs } });
    onTestFinished(() => context.close());
    const begin = async (who: string) => {
      const begun = await context.fetch(endpoint, message(initialize(), token(who)));
      const id = begun.headers.get('mcp-session-id') ?? '';
      return async (n: number) => {
        const params = { uri: uriOf(n) };
        const asked = { jsonrpc: '2.0', id: 3, method: 'resources/subscribe', params };
        const headers = { ...token(who), 'Mcp-Session-Id': id };
        return (await context.fetch(endpoint, message(asked, headers))).text();
      };
    };
    const { watchesOfCaller, watches } = contextLimits;
    for (let n = 0; n < watchesOfCaller.value; ) {
      const subscribe = await begin('ann');
      for (const last = n + watches.value; n < last; n++)
        expect(await subscribe(n)).toContain('"result"');
    }
    expect(await (await begin('ann'))(0)).toContain('Your sessions watch 256 pairs');
    expect(await (await begin('bob'))(0)).toContain('"result"');
  });

  it('is limited over all its sessions, even if they subscribe at the same time [N5]', async () => {
    const { watchesOfCaller, watches } = contextLimits;
    const pair = watchedPair();
    let most = 0;
    const watch: PairUseCases['watch'] = (...given) => {
      const stop = pair.pairs.watch(...given);
      most = Math.max(most, pair.count());
      return stop;
    };
    const context = await openContextEdge({ useCases: { pairs: { ...pair.pairs, watch } } });
    onTestFinished(() => context.close());
    const sessions: string[] = [];
    for (let n = 0; n < watchesOfCaller.value / watches.value + 4; n++) {
      const begun = await context.fetch(endpoint, message(initialize(), token('ann')));
      sessions.push(begun.headers.get('mcp-session-id') ?? '');
    }
    const subscribe = async (session: string, n: number) => {
      const params = { uri: uriOf(n) };
      const asked = { jsonrpc: '2.0', id: n, method: 'resources/subscribe', params };
      const headers = { ...token('ann'), 'Mcp-Session-Id': session };
      return (await context.fetch(endpoint, message(asked, headers))).text();
    };
    const all = sessions.flatMap((session, index) =>
      Array.from({ length: watches.value }, (_, n) => subscribe(session, index * 100 + n)),
    );
    const answers = await Promise.all(all);
    const taken = answers.filter((answer) => answer.includes('"result"'));
    expect(taken).toHaveLength(watchesOfCaller.value);
    expect(most).toBe(watchesOfCaller.value);
  });

  it('does not include a pair that could not be watched', async () => {
    const pairs: PairUseCases = {
      read: async () => ({}),
      watch: () => {
        throw new ContextError('UNKNOWN_TOKEN', 'Chain 1 is not served here.');
      },
    };
    const { client } = await connect({ useCases: { pairs } });
    await expect(client.subscribeResource({ uri: uriOf(0) })).rejects.toThrow(/is not served/);
    expect((await client.listResources()).resources).toEqual([]);
  });

  it('is bounded by the different pairs of all who listen [N5]', async () => {
    const context = await openContextEdge({ useCases: { pairs: watchedPair().pairs } });
    onTestFinished(() => context.close());
    const { pairs, watches, watchesOfCaller } = contextLimits;
    const listen = async (from: number, who = Math.floor(from / watchesOfCaller.value)) => {
      const token = tokenOf(`caller-${who}`, ...allScopes);
      const client = await connectTo(context, { revision: '2026-07-28', token });
      const some = Array.from({ length: watches.value }, (_, n) => uriOf(from + n));
      return client.listen({ resourceSubscriptions: some });
    };
    for (let n = 0; n + watches.value <= pairs.value; n += watches.value) await listen(n);
    await expect(listen(pairs.value)).rejects.toThrow(/2000 different pairs are watched here/);
    await listen(0, 100);
  });

  it('is not watched if the subscription arrives after the session has ended [N5]', () => {
    const pair = watchedPair();
    const watches = createPairWatches(pair.pairs, () => {});
    watches.add(uriOf(0));
    watches.close();
    watches.add(uriOf(1));
    expect(pair.count()).toBe(0);
  });

  it('counts towards the different pairs that a process may watch [N5]', () => {
    const { pairs: most } = contextLimits;
    const { pairs, count } = watchedPair();
    const bound = boundWatches(pairs);
    const watch = (n: number) => {
      const tokenIn = `0x${String(n).padStart(40, 'a')}`;
      return bound.watch({ chainId: 1, tokenIn, tokenOut: usdc.address }, () => {});
    };
    const stops = Array.from({ length: most.value }, (_, n) => watch(n));
    expect(() => watch(most.value)).toThrow(/2000 different pairs are watched here/);
    const again = watch(7);
    expect(count()).toBe(most.value + 1);
    stops[7]?.();
    stops[7]?.();
    expect(() => watch(most.value)).toThrow(ContextError);
    again();
    watch(most.value);
    expect(count()).toBe(most.value);
  });
});

describe('pairs of a chain that is not served', () => {
  it.each(revisions)('are refused with the reason, in revision %s', async (revision) => {
    const pairs: PairUseCases = {
      read: async () => ({}),
      watch: () => {
        throw new ContextError('UNKNOWN_TOKEN', 'Chain 5 is not served here.');
      },
    };
    const { client } = await connect({ useCases: { pairs } }, { revision });
    const uri = `swap://chains/5/pairs/${usdc.address}-${sender}`;
    await expect(subscribe(client, { revision, uri })).rejects.toThrow(/Chain 5 is not served/);
  });
});

describe('the tools of subscriptions', () => {
  const one = { name: 'subscriptions/1', state: 'ACTIVE', targetResource: '//swap/chains/1' };

  function recording() {
    const asked: unknown[][] = [];
    const record =
      (method: string, answer: object) =>
      async (question: unknown): Promise<object> => {
        asked.push([method, question]);
        return answer;
      };
    const subscriptions: NonNullable<ContextUseCases['subscriptions']> = {
      create: record('create', one),
      get: record('get', one),
      list: record('list', { subscriptions: [one] }),
      delete: record('delete', {}),
      reactivate: record('reactivate', one),
    };
    return { asked, subscriptions };
  }

  it('are there where subscriptions are, and only there', async () => {
    const { subscriptions } = recording();
    const { client } = await connect({ useCases: { subscriptions } });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'create_subscription',
      'get_subscription',
      'list_subscriptions',
      'delete_subscription',
      'reactivate_subscription',
    ]);
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints.delete_subscription).toMatchObject({ destructiveHint: true });
    expect(hints.create_subscription).toMatchObject({ idempotentHint: false });
  });

  it('pass on their arguments', async () => {
    const { asked, subscriptions } = recording();
    const { client } = await connect({ useCases: { subscriptions } });
    const call = async (name: string, given: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: given });
      expect(result.isError, textOf(result)).toBeFalsy();
      return result.structuredContent;
    };
    const wish = { targetResource: '//swap/chains/1', eventTypes: ['a.v1.b'] };
    expect(await call('create_subscription', wish)).toEqual(one);
    expect(await call('get_subscription', { name: one.name })).toEqual(one);
    expect(await call('list_subscriptions', wish)).toEqual({ subscriptions: [one] });
    expect(await call('delete_subscription', { name: one.name })).toEqual({ deleted: one.name });
    expect(await call('reactivate_subscription', { name: one.name })).toEqual(one);
    expect(asked).toEqual([
      ['create', { ...wish, notificationEndpoint: { eventStream: {} } }],
      ['get', one.name],
      ['list', { filter: '(event_types:"a.v1.b") AND target_resource="//swap/chains/1"' }],
      ['delete', one.name],
      ['reactivate', one.name],
    ]);
  });

  it('refuse a value that would inject into the filter', async () => {
    const { subscriptions, asked } = recording();
    const { client } = await connect({ useCases: { subscriptions } });
    const result = await client.callTool({
      name: 'list_subscriptions',
      arguments: { eventTypes: ['a" OR event_types:"b'] },
    });
    expect(result.isError).toBe(true);
    expect(asked).toEqual([]);
  });

  it.each(['get_subscription', 'delete_subscription', 'reactivate_subscription'])(
    'refuse names that no subscription can have: %s',
    async (name) => {
      const { subscriptions, asked } = recording();
      const { client } = await connect({ useCases: { subscriptions } });
      for (const wrong of ['subscriptions/a\0b', 'subscriptions/a b', 'subscriptions/', 'a']) {
        const result = await client.callTool({ name, arguments: { name: wrong } });
        expect(result.isError, wrong).toBe(true);
      }
      expect(asked).toEqual([]);
    },
  );

  it.each([
    ['create_subscription', 'subscriptions.write'],
    ['get_subscription', 'subscriptions.read'],
    ['list_subscriptions', 'subscriptions.read'],
    ['delete_subscription', 'subscriptions.write'],
    ['reactivate_subscription', 'subscriptions.write'],
  ])('want a scope of their own: %s %s [L5]', async (name, scope) => {
    const { subscriptions } = recording();
    const { fetch } = await openContextEdge({ useCases: { subscriptions } });
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name } };
    const refused = await fetch(endpoint, message(call));
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
  });
});

describe('an internal error', () => {
  it('is logged and not shown to the caller', async () => {
    const pairs: PairUseCases = {
      read: async () => {
        throw new Error('password hunter2');
      },
      watch: () => () => {},
    };
    const quote = {
      ...swapUseCases!.quote,
      ask: async () => {
        throw new Error('password hunter2');
      },
    };
    const { client, errors } = await connect({
      useCases: { swap: { ...swapUseCases!, quote }, pairs },
    });
    const result = await client.callTool({ name: 'get_swap_quote', arguments: quoteArguments });
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(result.isError).toBe(true);
    const uri = `swap://chains/1/pairs/${usdc.address}-${sender}`;
    const refusal = await client.readResource({ uri }).catch((error) => error);
    expect(String(refusal)).not.toContain('hunter2');
    expect(errors).toHaveLength(2);
  });
});

it('says in words that there is no route', async () => {
  const quote = { ...swapUseCases!.quote, ask: async () => unroutedAnswer };
  const { client } = await connect({ useCases: { swap: { ...swapUseCases!, quote } } });
  const result = await client.callTool({ name: 'get_swap_quote', arguments: quoteArguments });
  expect(textOf(result)).toBe('There is no route. No pool connects ETH and USDC.');
});

it('finds tokens by symbol, and lists the known ones for an unknown symbol', async () => {
  const { client } = await connect();
  const result = await client.callTool({
    name: 'get_swap_quote',
    arguments: { ...quoteArguments, tokenOut: 'USDT' },
  });
  expect(textOf(result)).toMatch(/UNKNOWN_TOKEN: .*The known symbols are ETH, WETH, USDC/);
});

/** A caller whose token the test can revoke. Callbacks run at once then, as with guards. */
function revocableCaller() {
  const revoking = new AbortController();
  const { signal } = revoking;
  const waiting = new Set<() => void>();
  signal.addEventListener('abort', () => {
    for (const callback of waiting) callback();
  });
  return {
    revoke: () => revoking.abort(),
    waiting: () => waiting.size,
    protect: async () => ({
      ...caller(Date.now() + 60_000),
      onRevoked(callback: () => void) {
        if (signal.aborted) callback();
        else waiting.add(callback);
        return () => void waiting.delete(callback);
      },
    }),
  };
}

function caller(expiresAt: number) {
  return { subject: 'ann', clientId: 'test', isPerson: true, scope: [], expiresAt };
}
