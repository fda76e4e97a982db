import type { ContextCaller, Protect } from '../../src/context/caller.ts';
import type { EventsOptions } from '../../src/events/create-events.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { createMetrics } from '../../src/kernel/telemetry/metrics.ts';
import { type Clock, systemClock } from '../../src/kernel/wait/clock.ts';
import { endpoint, initialize, openContextEdge, tokenOf } from './context-endpoint.ts';
import { openTestEvents } from './open-test-events.ts';
import { productMigrations } from './product-migrations.ts';
import { startWorker } from './start-worker.ts';
import { type Answer, type Received, startWebhookReceiver } from './webhook-receiver.ts';

/** The eras of the protocol: with sessions, and without. */
export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

/** A token with everything that a subscriber to the events of the shop needs. */
export const subscriberToken = tokenOf('ann', 'subscriptions.read', 'subscriptions.write');

export const orderCreated = 'shop.order.v1.created';
export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** What a call came back with: JSON-RPC over one answer. */
export type RpcAnswer = {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly error?: any;
};

type McpEventsOptions = {
  readonly settings?: NonNullable<Parameters<typeof openTestEvents>[1]>['settings'];
  readonly events?: Partial<Omit<EventsOptions, 'settings'>>;
  readonly era?: Era;
  readonly clock?: Clock;
  /** Whether events are delivered. */
  readonly isDelivering?: boolean;
};

/** The MCP endpoint over change notifications, with a shop whose events can be subscribed to and published. */
export async function openMcpEvents(database: Database, options: McpEventsOptions = {}) {
  const { era = '2026-07-28', clock = systemClock, settings, isDelivering = true } = options;
  await migrate(database, productMigrations);
  const metrics = createMetrics();
  const opened = await openTestEvents(database, {
    clock,
    metrics,
    settings: { retryFirst: 20, retryMax: 200, ...settings },
    ...options.events,
  });
  const { events } = opened;
  if (isDelivering) for (const worker of events.workers) startWorker(worker);
  const { mcp } = events;
  const protect: Protect = async (request, { scope, oneOfEach = [], suggestedScope }) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
    const [subject = '', ...granted] = token.split('/');
    const refuse = (status: number, challenge: string) =>
      new Response(null, { status, headers: { 'WWW-Authenticate': challenge } });
    if (subject === '') return refuse(401, `Bearer scope="${suggestedScope.join(' ')}"`);
    const lacks = (some: readonly string[]) => !some.some((one) => granted.includes(one));
    if ([...scope.map((one) => [one]), ...oneOfEach].some(lacks)) {
      return refuse(403, `Bearer error="insufficient_scope", scope="${scope.join(' ')}"`);
    }
    const caller: ContextCaller = {
      subject,
      clientId: 'agent',
      isPerson: true,
      scope: granted,
      expiresAt: clock.now() + 3_600_000,
    };
    return caller;
  };
  const context = await openContextEdge({
    database,
    clock: systemClock,
    protect,
    useCases: {
      events: {
        ask: (method, params, asked) => mcp.ask(method, { ...asked, params }),
        stream: (params, asked) => mcp.stream({ ...asked, params }),
        toError: mcp.toError,
        scopesOf: mcp.scopesOf,
      },
    },
  });
  const sessions = new Map<string, string>();

  /** The headers of an agent in this era, in a session of its own where there are sessions. */
  async function headersOf(token: string, method: string): Promise<Record<string, string>> {
    const plain = {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
      'Mcp-Protocol-Version': era,
    };
    if (era === '2026-07-28') return { ...plain, 'Mcp-Method': method };
    const known = sessions.get(token);
    if (known !== undefined) return { ...plain, 'Mcp-Session-Id': known };
    const body = JSON.stringify(initialize(era));
    const begun = await context.fetch(endpoint, { method: 'POST', headers: plain, body });
    await begun.text();
    const session = begun.headers.get('mcp-session-id') ?? '';
    sessions.set(token, session);
    return { ...plain, 'Mcp-Session-Id': session };
  }

  let calls = 0;
  async function send(
    method: string,
    params: object = {},
    { token = subscriberToken, id = `call-${++calls}`, signal }: CallOptions = {},
  ): Promise<Response> {
    const headers = await headersOf(token, method);
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: inEra(params, era) });
    return context.fetch(endpoint, { method: 'POST', headers, body, ...(signal && { signal }) });
  }

  async function rpc(method: string, params?: object, call?: CallOptions): Promise<RpcAnswer> {
    const response = await send(method, params, call);
    const text = await response.text();
    const { status, headers } = response;
    const data = /^data: (\{.+\})$/m.exec(text)?.[1] ?? text;
    return { status, headers, ...(data === '' ? {} : JSON.parse(data)) };
  }

  async function notify(method: string, params: object, token = subscriberToken) {
    const headers = await headersOf(token, method);
    const body = JSON.stringify({ jsonrpc: '2.0', method, params: inEra(params, era) });
    return context.fetch(endpoint, { method: 'POST', headers, body });
  }

  /** Begins a session and returns the answer to `initialize`. */
  async function begin(revision: string): Promise<RpcAnswer> {
    const begun = await context.fetch(endpoint, {
      method: 'POST',
      headers: {
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${subscriberToken}`,
      },
      body: JSON.stringify(initialize(revision)),
    });
    const data = /^data: (\{.+\})$/m.exec(await begun.text())?.[1] ?? '{}';
    return { status: begun.status, headers: begun.headers, ...JSON.parse(data) };
  }

  /** Publishes events of the shop, as an application does. */
  async function publish(...orders: readonly { id: string; order?: string; data?: object }[]) {
    const body = orders.map(
      ({ id, order = 'o1', data = { order: { name: `orders/${order}` } } }) => ({
        specversion: '1.0',
        id,
        source: '//shop',
        type: orderCreated,
        subject: `//shop/orders/${order}`,
        time: '2026-01-01T00:00:00.000Z',
        data,
      }),
    );
    const headers = { 'Content-Type': 'application/cloudevents-batch+json' };
    const answer = await opened.call('POST', '/v1/events', {
      as: 'publisher',
      body: JSON.stringify(body),
      headers,
    });
    if (answer.status !== 202) throw new Error(answer.text);
  }

  const shop = {
    name: 'shop',
    targets: [{ pattern: '//shop/orders/{order}', eventTypes: [orderCreated] }],
  };
  const added = await opened.call('POST', '/v1/applications', { as: 'operator', body: shop });
  if (added.status !== 200) throw new Error(added.text);
  const metricsOf = async () => (await metrics.expose()).body;
  return { ...opened, ...context, mcp, send, rpc, begin, notify, publish, metricsOf };
}

export type McpEventsWorld = Awaited<ReturnType<typeof openMcpEvents>>;

type CallOptions = {
  readonly token?: string;
  readonly id?: string | number;
  readonly signal?: AbortSignal;
};

function inEra(params: object, era: Era): object {
  if (era !== '2026-07-28') return params;
  const said = 'io.modelcontextprotocol';
  const _meta = {
    [`${said}/protocolVersion`]: era,
    [`${said}/clientInfo`]: { name: 'test', version: '1' },
    [`${said}/clientCapabilities`]: {},
  };
  return { ...params, _meta };
}

/** A receiver of MCP events: it echoes challenges, which `received` leaves out, and answers the rest as `respond` says. */
export async function startCallback(
  respond: (request: Received, index: number) => Answer | Promise<Answer> = () => ({ status: 204 }),
) {
  const challenged: Received[] = [];
  const delivered: Received[] = [];
  const watchers = new Set<() => void>();
  const { url } = await startWebhookReceiver(async (request) => {
    const { type, challenge } = JSON.parse(request.body);
    if (type === 'verification') {
      challenged.push(request);
      return { status: 200, body: JSON.stringify({ challenge }) };
    }
    delivered.push(request);
    const answer = await respond(request, delivered.length - 1);
    // One turn later, so that the answer is on its way.
    setImmediate(() => {
      for (const watch of watchers) watch();
    });
    return answer;
  });
  return {
    url: `${url}/hook?key=private`,
    challenged,
    delivered,
    bodies: () => delivered.map(({ body }) => JSON.parse(body)),
    got: (count: number) =>
      new Promise<void>((resolve) => {
        const watch = () => {
          if (delivered.length < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
  };
}

/** The parameters that subscribe a callback to an order of the shop. */
export function toOrder(url: string, more: object = {}): Record<string, unknown> {
  return {
    name: orderCreated,
    arguments: { order: 'o1' },
    delivery: { mode: 'webhook', url, secret },
    ...more,
  };
}
