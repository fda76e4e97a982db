import { Hono } from 'hono';
import { openHeartbeat } from '../../../src/app/heartbeat.ts';
import { operatorMount } from '../../../src/app/operator-mount.ts';
import { writeAuthorizationRefusal } from '../../../src/authorization/http/answers.ts';
import { openTokens } from '../../../src/authorization/open-tokens.ts';
import { tokenPaths } from '../../../src/authorization/requests/token-endpoints.ts';
import { createEvents, type EventsOptions } from '../../../src/events/create-events.ts';
import type { EventsCaller } from '../../../src/events/model/caller.ts';
import { openPostgres } from '../../../src/kernel/database/postgres/open-postgres.ts';
import { createEdge } from '../../../src/kernel/edge/create-edge.ts';
import type { Random } from '../../../src/kernel/model/random.ts';
import type { OutboundHttp } from '../../../src/kernel/outbound/outbound-http.ts';
import { createHealth, startWorkers } from '../../../src/kernel/process/supervisor.ts';
import { createLogger } from '../../../src/kernel/telemetry/logger.ts';
import { createMetrics } from '../../../src/kernel/telemetry/metrics.ts';
import { createSteadyClock } from '../../../src/kernel/wait/clock.ts';
import { createInProcessEventBus } from '../../../src/kernel/work/event-bus.ts';
import { createLeasedWorker } from '../../../src/kernel/work/lease.ts';
import { openOutboxRelay } from '../../../src/kernel/work/outbox.ts';
import { createWorkWorker } from '../../../src/kernel/work/work-worker.ts';
import { testClient } from '../../support/open-token-world.ts';
import { testScopes } from '../../support/test-scopes.ts';
import type { ExchangeEffect } from '../faults.ts';
import { createFaultyBus } from './faulty-bus.ts';
import type { ProcessClock } from './process-clock.ts';

export const publicUrl = new URL('http://localhost:8787');
/** The topic and the kind of work that exist only here. */
export const tickTopic = 'simulation.tick';
export const workKind = 'simulation.work';

export type NodeOptions = {
  readonly driver: NonNullable<Parameters<typeof openPostgres>[0]['driver']>;
  readonly clock: ProcessClock;
  readonly random: Random;
  readonly outbound: OutboundHttp;
  readonly settings: EventsOptions['settings'];
  readonly subscribersAtOnce: number | undefined;
  busEffect(): ExchangeEffect | undefined;
  onTick(tick: { key: string; payload: unknown }): void;
  onWork(key: string): void;
  /** Called once a second by the one node that has the lease. */
  onLease(): void;
  onProblem(line: string): void;
};

export type SimulatedNode = Awaited<ReturnType<typeof startNode>>;

/** One process of the product: its real parts, joined as `compose` does, over a database that it reaches by the driver. */
export async function startNode(options: NodeOptions) {
  const { driver, random, outbound, settings } = options;
  const clock = createSteadyClock(options.clock);
  const database = await openPostgres({ url: 'postgres://simulated', driver, clock, random });
  // The simulated server has no clock of its own.
  const { time: _none, ...dialect } = database.dialect;
  const heartbeat = await openHeartbeat({
    database: { ...database, dialect, relaxed: { ...database.relaxed, dialect } },
    clock,
    onFailure: () => {},
  });
  const masterKey = new Uint8Array(32).fill(1);
  const logger = createLogger({ level: 'error', format: 'json', write: options.onProblem });
  const metrics = createMetrics();
  const health = createHealth();
  const local = createInProcessEventBus();
  local.subscribe({
    name: 'simulation',
    topics: [tickTopic],
    handle: async ({ key, payload }) => options.onTick({ key, payload }),
  });
  const bus = createFaultyBus(local, { clock, effect: options.busEffect });
  const client = testClient('app');
  const tokens = await openTokens({
    publicUrl,
    protectedPaths: ['/mcp'],
    foreignResources: () => [],
    scopes: testScopes,
    accessTokenLifetime: 600_000,
    refreshTokenLifetime: 30 * 24 * 3_600_000,
    database,
    masterKey,
    outbound,
    findClient: async (clientId) => (clientId === 'app' ? client : undefined),
    keepClient: async () => {},
    sessionStatus: () => ({ isAlive: async () => true, watch: () => () => {} }),
    clock,
    random,
  });
  const events = createEvents({
    settings,
    publicUrl,
    isLoopback: true,
    database,
    masterKey,
    clock,
    random,
    logger,
    metrics,
    identifyCaller: async ({ headers }) => ({
      caller: { ...everybody, clientId: headers.get(clientHeader) ?? everybody.clientId },
    }),
    bus,
    webhookClients: { http: outbound, retryHttp: outbound },
    subscribersAtOnce: options.subscribersAtOnce,
  });
  const relay = await openOutboxRelay({ database, bus, clock, random });
  const edge = createEdge({
    publicUrl,
    trustedProxies: [],
    mounts: [
      operatorMount({ health, beat: heartbeat.beat, metrics, clock }),
      {
        app: new Hono(),
        endpoints: tokens.endpoints,
        paths: tokenPaths,
        writeRefusal: writeAuthorizationRefusal,
      },
      events.mount,
    ],
    logger,
    clock,
    random,
  });
  const leased = createLeasedWorker({
    name: 'simulation',
    database,
    clock,
    random,
    onFailure: () => {},
    async work(signal) {
      while (!signal.aborted) {
        options.onLease();
        await clock.sleep(1_000, signal);
      }
    },
  });
  const scheduled = createWorkWorker({
    database,
    clock,
    random,
    name: `schedule-${workKind}`,
    kinds: [workKind],
    handle: async ({ key }) => options.onWork(key),
  });
  const workers = [
    heartbeat.worker,
    relay,
    leased,
    scheduled,
    ...tokens.workers,
    ...events.workers,
  ];
  startWorkers({ workers, clock, logger, health });
  health.report('process', undefined);
  return { database, tokens, edge };
}

/** The header in which a client states its id: nothing else about it matters here. */
export const clientHeader = 'x-client';

/** A caller that may do everything: other tests prove what is refused to whom. */
const everybody: EventsCaller = {
  subject: 'eve',
  clientId: 'publisher',
  isPerson: true,
  scope: Object.assign(['admin'], { includes: () => true }),
  expiresAt: Number.POSITIVE_INFINITY,
};
