import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { authorizationLimits } from '../../src/authorization/limits.ts';
import { readServerSentEvents } from '../../src/cli/server/events-client.ts';
import { openCredentials } from '../fuzz/open-credentials.ts';
import { createMemoryProvider } from '../support/memory-oauth-provider.ts';

/** One kind of work. A round leaves nothing open when it is over. */
export type LoadPart = {
  readonly name: string;
  round(index: number): Promise<void>;
};

export type MixedLoad = {
  readonly parts: readonly LoadPart[];
  /** Fills the server's cache of verified tokens. */
  fill(): Promise<void>;
  close(): Promise<void>;
};

type Json = ReturnType<typeof JSON.parse>;

const eventType = 'google.workspace.drive.file.v3.created';
const chain = 31337;

/** Everything that users and programs do with a server, as parts that can run in parallel. */
export async function openMixedLoad(options: {
  readonly url: URL;
  readonly ownerPassword: string;
}): Promise<MixedLoad> {
  const { url, ownerPassword } = options;
  const tokens = (await openCredentials(url)).filter((_, index) => index % 6 >= 4);
  const receiver = await openReceiver();
  const person = await signIn(url, ownerPassword);
  const tokenOf = (index: number) => tokens[index % tokens.length] ?? '';
  const call = createCaller(url);
  const trade = await readTrade(call);
  let refreshToken = person.refreshToken;
  let serial = 0;

  const publish = async (subject: string, token: string): Promise<string> => {
    const id = `event-${++serial}`;
    const event = { specversion: '1.0', id, source: '//soak', type: eventType, subject };
    const data = { file: { name: subject } };
    await call('/v1/events', { token, body: { ...event, data }, type: 'cloudevents+json' });
    return id;
  };
  const subscribe = async (index: number, notificationEndpoint: object) => {
    const token = tokenOf(index);
    const targetResource = `//drive.googleapis.com/files/soak-${++serial}`;
    const body = { targetResource, eventTypes: [eventType], notificationEndpoint };
    const { response } = await call('/v1/subscriptions', { token, body });
    return { token, targetResource, name: String(response.name) };
  };
  const unsubscribe = ({ name, token }: { name: string; token: string }) =>
    call(`/v1/${name}`, { token, method: 'DELETE' });

  const register = async (): Promise<Credentials> => {
    const { client_id, client_secret } = await call('/register', { body: selfMadeClient });
    return { client_id, client_secret };
  };
  /** A token for the client itself, which the server has verified. */
  const takeToken = async (credentials: Credentials): Promise<string> => {
    const granted = { grant_type: 'client_credentials', scope: 'swap.read' };
    const { access_token: token } = await call('/token', { form: { ...granted, ...credentials } });
    await call('/introspect', { form: { token, ...credentials } });
    return token;
  };

  const parts: LoadPart[] = [
    {
      name: 'quotes',
      async round(index) {
        const amount = 10n ** 18n + BigInt(index % 50) * 10n ** 16n;
        await call(`/v1/swap/${chain}?${trade}&amount=${amount}&sender=0x${'1'.repeat(40)}`);
        if (index % 5 === 0) await call(`/rpc/${chain}`, { body: mine });
      },
    },
    {
      name: 'prices',
      round: async (index) =>
        void (await call(`/v1/price/${chain}?${trade}&amount=${10n ** 17n + BigInt(index % 20)}`)),
    },
    {
      name: 'tokens',
      async round() {
        const credentials = await register();
        const token = await takeToken(credentials);
        await call('/revoke', { form: { token, ...credentials } });
        await sleep(60_000 / authorizationLimits.revocations.value);
      },
    },
    {
      name: 'refreshes',
      async round() {
        const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
        const issued = await call('/token', { form: { ...form, client_id: person.clientId } });
        refreshToken = issued.refresh_token;
      },
    },
    {
      name: 'MCP',
      async round(index) {
        const client = new Client({ name: 'soak', version: '1' });
        const headers = { authorization: `Bearer ${tokenOf(index)}` };
        const endpoint = new URL('/mcp', url);
        const transport = new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } });
        await client.connect(transport);
        await client.listTools();
        await client.callTool({ name: 'list_tokens', arguments: { chainId: chain } });
        await transport.terminateSession();
        await client.close();
      },
    },
    {
      name: 'webhooks',
      async round(index) {
        const subscription = await subscribe(index, { webhook: { uri: receiver.url } });
        const { name, targetResource, token } = subscription;
        const renewed = { method: 'PATCH', token, body: { ttl: '86400s' } };
        await call(`/v1/${name}?updateMask=ttl`, renewed);
        const ids = [await publish(targetResource, token), await publish(targetResource, token)];
        await receiver.got(ids);
        await call(`/v1/${name}/deliveries`, { token });
        await unsubscribe(subscription);
      },
    },
    {
      name: 'streams',
      async round(index) {
        const subscription = await subscribe(index, { eventStream: {} });
        const { name, targetResource, token } = subscription;
        const stream = await listen(new URL(`/v1/${name}:listen`, url), token);
        const id = await publish(targetResource, token).catch(stream.closeFor);
        await stream.until((text) => text.includes(id));
        await unsubscribe(subscription);
      },
    },
    {
      name: 'feed',
      async round(index) {
        const token = tokenOf(index);
        const feed = await listen(new URL('/v1/monitor/feed', url), token);
        await feed.first((text) => text.includes('ready'));
        const subject = '//drive.googleapis.com/files/soak-feed';
        const id = await publish(subject, token).catch(feed.closeFor);
        await feed.until((text) => text.includes(id));
      },
    },
  ];
  return {
    parts,
    async fill() {
      const credentials = await register();
      const atOnce = 10;
      const takeSome = async () => {
        for (let n = 0; n < authorizationLimits.tokensKept.value / atOnce; n += 1) {
          await takeToken(credentials);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, takeSome));
    },
    close: () => receiver.close(),
  };
}

type Credentials = { readonly client_id: string; readonly client_secret: string };

const mine = { jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] };
const selfMadeClient = {
  grant_types: ['client_credentials'],
  response_types: [],
  token_endpoint_auth_method: 'client_secret_post',
  scope: 'swap.read',
};

type Call = {
  readonly method?: string;
  readonly token?: string;
  readonly body?: object;
  readonly type?: string;
  readonly form?: Record<string, string>;
};

/** Calls the server and throws if it refuses, since a load of refused requests proves nothing. */
function createCaller(url: URL) {
  return async (path: string, { method, token, body, type = 'json', form }: Call = {}) => {
    const content = form ? new URLSearchParams(form) : body && JSON.stringify(body);
    const response = await fetch(new URL(path, url), {
      method: method ?? (content === undefined ? 'GET' : 'POST'),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': `application/${type}` }),
      },
      ...(content === undefined ? {} : { body: content }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Json;
  };
}

async function readTrade(call: ReturnType<typeof createCaller>): Promise<string> {
  const { data } = await call(`/v1/tokens/${chain}`);
  const find = (symbol: string) =>
    data.tokens.find((token: { symbol: string }) => token.symbol === symbol).address;
  return `tokenIn=${find('WETH')}&tokenOut=${find('USDC')}`;
}

/** The owner allows a client. Returns the client's refresh token. */
async function signIn(url: URL, ownerPassword: string) {
  const memory = createMemoryProvider(ownerPassword);
  const connect = () => {
    const options = { authProvider: memory.provider };
    return new StreamableHTTPClientTransport(new URL('/mcp', url), options);
  };
  const first = connect();
  await new Client({ name: 'soak', version: '1' }).connect(first).catch(() => {});
  await first.finishAuth(memory.callback().searchParams);
  const refreshToken = memory.tokens()?.refresh_token;
  if (refreshToken === undefined) throw new Error('the owner could not sign in');
  return { clientId: memory.clientId(), refreshToken };
}

/** Reads a stream of server-sent events, and closes it after the last event or a failure. */
async function listen(url: URL, token: string) {
  const ending = new AbortController();
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  const response = await fetch(url, { headers, signal: ending.signal });
  if (response.status !== 200 || response.body === null) {
    throw new Error(`${url.pathname} was answered ${response.status}: ${await response.text()}`);
  }
  const items = readServerSentEvents(response.body);
  const close = async () => {
    ending.abort();
    await items.next().catch(() => {});
  };
  const closeFor = async (error: unknown): Promise<never> => {
    await close();
    throw error;
  };
  const read = async (isIt: (text: string) => boolean) => {
    for (;;) {
      const { value, done } = await items.next();
      if (done) throw new Error(`${url.pathname} ended`);
      if (isIt(value.data)) return;
    }
  };
  return {
    // Kept, since fetch cancels an unread body once its response is garbage-collected.
    response,
    first: (isIt: (text: string) => boolean) => read(isIt).catch(closeFor),
    until: (isIt: (text: string) => boolean) => read(isIt).finally(close),
    closeFor,
  };
}

/** A receiver that agrees to every subscription and knows which events have come. */
async function openReceiver() {
  const awaited = new Map<string, () => void>();
  const arrived = new Set<string>();
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'OPTIONS') {
      const origin = String(request.headers['webhook-request-origin']);
      response.writeHead(200, { 'webhook-allowed-origin': origin }).end();
      return;
    }
    const id = String(request.headers['ce-id']);
    const tell = awaited.get(id);
    if (tell === undefined) arrived.add(id);
    else tell();
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has an address of this form
  const one = (id: string) =>
    new Promise<void>((resolve) => {
      if (arrived.delete(id)) return resolve();
      awaited.set(id, () => {
        awaited.delete(id);
        resolve();
      });
    });
  return {
    url: `http://127.0.0.1:${port}/hook`,
    got: async (ids: readonly string[]) => void (await Promise.all(ids.map(one))),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
