import { onTestFinished } from 'vitest';
import { eventsSettings } from '../../src/events/config.ts';
import { createDelivery } from '../../src/events/create-delivery.ts';
import { createEvents, type EventsOptions } from '../../src/events/create-events.ts';
import type { EventsCaller, IdentifyCaller } from '../../src/events/model/caller.ts';
import type { SubscriptionId, SuspensionReason } from '../../src/events/model/subscription.ts';
import { suspendSubscription } from '../../src/events/subscriptions/lifecycle/suspend-subscription.ts';
import type { Database } from '../../src/kernel/database/database.ts';
import { migrate } from '../../src/kernel/database/migrate.ts';
import { createEdge } from '../../src/kernel/edge/create-edge.ts';
import { openListener } from '../../src/kernel/edge/listener/open-listener.ts';
import { systemRandom } from '../../src/kernel/model/random.ts';
import { createLogger } from '../../src/kernel/telemetry/logger.ts';
import { createMetrics } from '../../src/kernel/telemetry/metrics.ts';
import { systemClock } from '../../src/kernel/wait/clock.ts';
import { createInProcessEventBus } from '../../src/kernel/work/event-bus.ts';
import { createFakeClock } from './fake-clock.ts';
import { deliveryDefaults } from './open-delivery.ts';
import { productMigrations } from './product-migrations.ts';

const subscriber = ['subscriptions.read', 'subscriptions.write'];

/** The caller of each token in tests: `Authorization: Bearer alice`. */
export const testCallers: Readonly<Record<string, EventsCaller>> = {
  alice: person('alice', subscriber),
  bob: person('bob', subscriber),
  'alice-elsewhere': { ...person('alice', subscriber), clientId: 'other' },
  robot: { ...person('robot', subscriber), clientId: 'robot', isPerson: false },
  // Made by the operator, with the scope for everything of Chat.
  warden: {
    ...person('warden', [...subscriber, 'subscriptions.customer']),
    clientId: 'warden',
    isPerson: false,
  },
  'warden-in-person': person('warden', [...subscriber, 'subscriptions.customer']),
  'warden-with-less': { ...person('warden', subscriber), clientId: 'warden', isPerson: false },
  reader: person('alice', ['subscriptions.read']),
  nobody: person('alice', []),
  trader: person('trader', [...subscriber, 'swap.read']),
  formerTrader: person('trader', subscriber),
  publisher: person('publisher', [...subscriber, 'events.publish']),
  'publisher-elsewhere': {
    ...person('publisher', [...subscriber, 'events.publish']),
    clientId: 'other',
  },
  rival: { ...person('rival', ['events.publish']), clientId: 'rival', isPerson: false },
  archivist: person('archivist', [...subscriber, 'folders.read']),
  'alice-in-console': { ...person('alice', subscriber), clientId: 'console' },
  operator: person('operator', [...subscriber, 'admin', 'events.publish']),
};

function person(subject: string, scope: readonly string[]): EventsCaller {
  const expiresAt = Number.POSITIVE_INFINITY;
  return { subject, clientId: 'app', isPerson: true, scope, expiresAt };
}

const identifyCaller: IdentifyCaller = async (request, scopes) => {
  const token = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
  const caller = testCallers[token ?? ''];
  const isAllowed = scopes.some((scope) => caller?.scope.includes(scope));
  if (caller !== undefined && isAllowed) return { caller };
  const metadata = 'resource_metadata="http://localhost:8787/metadata"';
  if (caller !== undefined) {
    const challenges = [`Bearer error="insufficient_scope", scope="${scopes[0]}", ${metadata}`];
    return { refusal: { reason: 'insufficient_scope', message: 'Too little.', challenges } };
  }
  const challenges = [`Bearer ${metadata}`];
  if (token === undefined) {
    return { refusal: { reason: 'missing', message: 'There is no token.', challenges } };
  }
  const reason = token === 'expired' ? 'expired' : 'invalid';
  return { refusal: { reason, message: `The token is ${reason}.`, challenges } };
};

const defaultSettings = Object.fromEntries(
  Object.entries(eventsSettings).map(([name, setting]) => [
    name,
    typeof setting.default === 'string' ? setting.kind.parse(setting.default) : setting.default,
  ]),
) as EventsOptions['settings'];

export type CallOptions = {
  /** Whose token; `null` for none. */
  readonly as?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Change notifications on an edge over a database, with a fake clock. */
export async function openTestEvents(
  database: Database,
  options: Partial<Omit<EventsOptions, 'settings'>> & {
    settings?: Partial<EventsOptions['settings']>;
    trustedProxies?: Parameters<typeof createEdge>[0]['trustedProxies'];
  } = {},
) {
  const { trustedProxies = [], settings, ...rest } = options;
  const clock = createFakeClock();
  const errors: unknown[] = [];
  await migrate(database, productMigrations);
  const publicUrl = options.publicUrl ?? new URL('http://localhost:8787');
  const logged = createLogger({
    level: 'error',
    format: 'json',
    write: (line) => void errors.push(JSON.parse(line)),
  });
  const parts = {
    settings: { ...defaultSettings, ...settings },
    publicUrl,
    isLoopback: true,
    database,
    masterKey: Buffer.alloc(32, 7),
    clock,
    random: systemRandom,
    logger: logged,
    metrics: createMetrics(),
    identifyCaller,
    bus: createInProcessEventBus(),
    isConsole: (clientId: string) => clientId === 'console',
    ...rest,
  };
  const events = createEvents(parts);
  onTestFinished(() => events.close());
  const edge = createEdge({
    publicUrl,
    trustedProxies,
    mounts: [events.mount],
    logger: logged,
    clock: parts.clock,
    random: systemRandom,
  });

  async function call(
    method: string,
    path: string,
    { as = 'alice', body, headers }: CallOptions = {},
  ) {
    const response = await edge.request(path, {
      method,
      headers: {
        ...(as === null ? {} : { Authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = response.headers.has('content-encoding') ? '' : await response.clone().text();
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
    const answer: any = text.startsWith('{') ? JSON.parse(text) : {};
    return { status: response.status, headers: response.headers, text, body: answer, response };
  }

  /** Suspends a subscription, which the interface itself never does. */
  async function suspend(name: string, reason: SuspensionReason = 'OTHER'): Promise<void> {
    const metrics = createMetrics();
    const delivery = createDelivery({ ...deliveryDefaults, database, clock: parts.clock, metrics });
    const { queues } = delivery;
    const id = name.split('/').at(-1) as SubscriptionId;
    const context = { database, clock: parts.clock, queues, sourceHost: publicUrl.host };
    await suspendSubscription(context, { id, reason });
    await delivery.close();
  }
  return { events, edge, clock, database, bus: parts.bus, errors, call, suspend };
}

export type TestEvents = Awaited<ReturnType<typeof openTestEvents>>;

export const fileCreated = 'google.workspace.drive.file.v3.created';
export const fileDeleted = 'google.workspace.drive.file.v3.deleted';
export const messageCreated = 'google.workspace.chat.message.v1.created';

/** A valid body for the creation of a subscription. */
export function newSubscriptionBody(more: object = {}): Record<string, unknown> {
  return {
    targetResource: '//drive.googleapis.com/files/f1',
    eventTypes: [fileCreated],
    notificationEndpoint: { eventStream: {} },
    ...more,
  };
}

/** Creates a subscription and returns it. */
export async function createTestSubscription(
  { call }: TestEvents,
  more: object = {},
  options: CallOptions = {},
) {
  const { status, body } = await call('POST', '/v1/subscriptions', {
    body: newSubscriptionBody(more),
    ...options,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.response;
}

/** The same on a real socket, with the system clock. Returns its address, ending in `/`. */
export async function openEventsServer(database: Database) {
  const opened = Promise.withResolvers<TestEvents>();
  const listener = await openListener({
    fetch: async (request, env) => (await opened.promise).edge.fetch(request, env),
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    clock: systemClock,
  });
  onTestFinished(() => listener.close(0));
  const publicUrl = new URL(listener.url);
  const test = await openTestEvents(database, { publicUrl, clock: systemClock });
  opened.resolve(test);
  return { ...test, rootUrl: `${listener.url}/` };
}
