import { createRateLimiter } from '../../kernel/edge/rate-limiter.ts';
import type { Network } from '../../kernel/model/network.ts';
import { createOutboundHttp, type OutboundHttp } from '../../kernel/outbound/outbound-http.ts';
import type { Metrics } from '../../kernel/telemetry/metrics.ts';
import { rememberAnswer } from '../../kernel/wait/remembered.ts';
import { eventsLimits } from '../limits.ts';
import { countMcpSubscriptions } from '../store/mcp-store.ts';
import type { SubscriptionContext } from '../subscriptions/subscription-context.ts';
import type { McpContext, McpRequest } from './mcp-context.ts';
import { type McpError, toMcpError } from './mcp-error.ts';
import { listEventTypes } from './offered-events.ts';
import { pollEvents } from './poll.ts';
import { type StreamStep, streamEvents } from './stream.ts';
import { subscribeCallback, unsubscribeCallback } from './subscribe.ts';
import { deriveMcpIds } from './subscription-key.ts';
import type { CallbackOutcome } from './verify-callback.ts';

/** The methods of MCP Events that give one answer. */
export const mcpMethods = {
  'events/list': listEventTypes,
  'events/subscribe': subscribeCallback,
  'events/unsubscribe': unsubscribeCallback,
  'events/poll': pollEvents,
} as const;

/** MCP Events over the subscriptions of this service, for whatever speaks the protocol. */
export type McpEvents = {
  /** Answers a method that gives one answer. */
  ask(method: keyof typeof mcpMethods, request: McpRequest): Promise<object>;
  stream(request: McpRequest): Promise<AsyncGenerator<StreamStep>>;
  /** The JSON-RPC error that a refusal is; undefined for a fault. */
  toError(error: unknown): McpError | undefined;
  /** The scopes of which one lets a token have events of this type; none if no scope is needed. */
  scopesOf(name: string): Promise<readonly string[]>;
  close(): Promise<void>;
};

type McpEventsOptions = Omit<
  McpContext,
  keyof SubscriptionContext | 'deriveId' | 'verification' | 'offersAll'
> & {
  readonly context: SubscriptionContext;
  readonly masterKey: Uint8Array;
  readonly allowNetworks: readonly Network[];
  readonly metrics: Metrics;
  /** The client that calls webhooks. */
  readonly http: OutboundHttp;
  readonly settings: {
    readonly mcpEvents: 'own' | 'all';
    readonly webhookTrusted?: readonly string[] | undefined;
  };
  readonly onFailure: (error: unknown) => void;
};

/** How long a count of all subscriptions is cached, in milliseconds. */
const countLasts = 10_000;

export function createMcpEvents(options: McpEventsOptions): McpEvents {
  const { context: base, masterKey, metrics, settings, http } = options;
  const { database, clock } = base;
  const publicHttp = createOutboundHttp({ allowNetworks: [], clock });
  const limiterOf = (name: string, { value: perMinute }: { readonly value: number }) =>
    createRateLimiter({ database, clock, name: `events-${name}`, perMinute });
  const context: McpContext = {
    ...base,
    ...options,
    deriveId: deriveMcpIds(masterKey),
    offersAll: settings.mcpEvents === 'all',
    verification: {
      http,
      publicHttp,
      trustedOrigins: settings.webhookTrusted ?? [],
      limiters: {
        principal: limiterOf('verified-principal', eventsLimits.verificationsOfPrincipal),
        pair: limiterOf('verified-pair', eventsLimits.verificationsOfPair),
        host: limiterOf('verified-host', eventsLimits.verificationsOfHost),
      },
      onVerified: countVerifications(metrics),
    },
  };
  observeSubscriptions(options);
  const { counted, open } = countCalls(metrics);
  return {
    ask: (method, request) => counted(method, () => mcpMethods[method](context, request)),
    async stream(request) {
      const steps = await counted('events/stream', () => streamEvents(context, request));
      return open(steps);
    },
    toError: toMcpError,
    scopesOf: async (name) => (await base.catalogue.applicationOf(name))?.scopes ?? [],
    close: () => publicHttp.close(),
  };
}

/** Counts calls by their outcome, and the streams that are open (M71). */
function countCalls(metrics: Metrics) {
  const calls = metrics.counter({
    name: 'mcp_events_calls_total',
    help: 'Calls of MCP event methods, by method and by the code of the error, or ok.',
    labels: ['method', 'code'],
  });
  const streams = metrics.gauge({
    name: 'mcp_events_streams',
    help: 'Open streams of MCP events at this process.',
  });
  return {
    async counted<Answer>(method: string, call: () => Promise<Answer>): Promise<Answer> {
      try {
        const answer = await call();
        calls.inc({ method, code: 'ok' });
        return answer;
      } catch (error) {
        calls.inc({ method, code: String(toMcpError(error)?.code ?? 'fault') });
        throw error;
      }
    },
    async *open(steps: AsyncGenerator<StreamStep>): AsyncGenerator<StreamStep> {
      streams.inc();
      try {
        yield* steps;
      } finally {
        streams.dec();
      }
    },
  };
}

function countVerifications(metrics: Metrics) {
  const verifications = metrics.counter({
    name: 'mcp_events_verifications_total',
    help: 'Challenges to callbacks of MCP clients, by their outcome.',
    labels: ['reason'],
  });
  return (reason: CallbackOutcome) => verifications.inc({ reason });
}

/** Shows how many subscriptions of MCP clients are live (M71); the same at every process of a database. */
function observeSubscriptions({ context, metrics, onFailure }: McpEventsOptions): void {
  const { database, clock } = context;
  const counted = rememberAnswer({
    keptFor: countLasts,
    clock,
    ask: () => countMcpSubscriptions(database, clock.now()),
  });
  metrics.gauge({
    name: 'mcp_events_subscriptions',
    help: 'Live subscriptions of MCP clients, by how they get events.',
    labels: ['mode'],
    collect: (gauge) =>
      counted.get().then(({ webhook, poll }) => {
        gauge.labels('webhook').set(webhook);
        gauge.labels('poll').set(poll);
      }, onFailure),
  });
}
