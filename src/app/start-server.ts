import { Hono } from 'hono';
import { createEdge, type Edge } from '../kernel/edge/create-edge.ts';
import { EdgeError } from '../kernel/edge/edge-error.ts';
import type { GateOptions } from '../kernel/edge/gate/create-gate.ts';
import { type Listener, openListener } from '../kernel/edge/listener/open-listener.ts';
import type { EdgeEnv } from '../kernel/edge/mount.ts';
import { isLoopbackHost, parseNetworks } from '../kernel/model/network.ts';
import { systemRandom } from '../kernel/model/random.ts';
import { createHealth, type Health, startWorkers } from '../kernel/process/supervisor.ts';
import type { Logger } from '../kernel/telemetry/logger.ts';
import { createMetrics, type ReportFault, reportFaults } from '../kernel/telemetry/metrics.ts';
import { createSteadyClock, systemClock } from '../kernel/wait/clock.ts';
import { orLate } from '../kernel/wait/deadline.ts';
import { type Composition, compose } from './compose.ts';
import { describeStrangers, type StrangersGet } from './describe-strangers.ts';
import { returnMemory } from './return-memory.ts';
import type { Config } from './settings/all-settings.ts';
import { version } from './version.ts';

/** What a running server reports about itself. */
export type ServerFacts = {
  readonly url: string;
  readonly version: string;
  readonly pid: number;
  readonly database: string;
  readonly services: readonly string[];
  /** Commands that show what the server can do. */
  readonly tryNext: readonly string[];
  /** Where the owner chooses a password, as long as there is none. */
  readonly setUpLink: string | undefined;
  /** What somebody gets whom nobody here knows; empty where this process serves no sign-in. */
  readonly strangers: readonly StrangersGet[];
};

type RunningServer = {
  readonly facts: ServerFacts;
  /** Counts and logs an error that nothing handled. */
  readonly reportFault: ReportFault;
  /** Reads the certificate and key again; keeps those in use if the new ones cannot be read. */
  reloadTls(): Promise<void>;
  /** Lets running requests finish, stops the workers, closes the store; after 8.5 seconds it no longer waits. */
  stop(): Promise<void>;
};

// Stopping takes at most ten seconds. Requests come first, workers and the store get the time that is left, and
// the last second is for a slow reader of the log.
const drainMs = 7_000;
const stopMs = 8_500;

/**
 * Starts the process. Listens first, so that a port in use is noticed before anything else is touched, and
 * resolves once every part is open. If the start fails, closes what was opened and throws the error.
 */
export async function startServer(options: {
  readonly config: Config;
  readonly logger: Logger;
}): Promise<RunningServer> {
  const { config, logger } = options;
  const { host, port, tlsCert, tlsKey } = config.server;
  const trustedProxies = parseNetworks(config.server.trustedProxy ?? []);
  const [clock, random] = [createSteadyClock(systemClock), systemRandom];
  const health = createHealth();
  const metrics = createMetrics({ ofProcess: true });
  const reportFault = reportFaults({ metrics, logger });
  const scheme = tlsCert ? 'https' : 'http';
  const publicUrlAt = (port: number) =>
    new URL(config.server.publicUrl ?? `${scheme}://localhost:${port}`);

  let edge: Edge = createStartingEdge({
    health,
    edge: { publicUrl: publicUrlAt(port), trustedProxies, logger, clock, random },
  });
  const listener = await openListener({
    fetch: (request, env) => edge.fetch(request, env),
    answerDirectly: (incoming, outgoing, read) => edge.answerDirectly(incoming, outgoing, read),
    refuseUnread: (error, connection) => edge.refuseUnread(error, connection),
    host,
    port,
    ...(tlsCert && tlsKey ? { tls: { certPath: tlsCert, keyPath: tlsKey } } : {}),
    trustedProxies,
    reportFault,
    clock,
  });
  const publicUrl = publicUrlAt(listener.port);
  const composition = await compose({
    config,
    publicUrl,
    isLoopback: isLoopbackHost(host) && trustedProxies.length === 0,
    logger,
    metrics,
    health,
    clock,
    random,
  }).catch(async (error) => {
    await listener.close(0);
    throw error;
  });
  edge = composition.edge;
  const supervisor = startWorkers({ workers: composition.workers, clock, logger, health });
  health.report('process', undefined);
  const url = publicUrl.origin;
  logger.info({ url, pid: process.pid }, 'ready');
  const ending = new AbortController();
  void returnMemory({ clock, signal: ending.signal });

  async function endAll(): Promise<void> {
    await composition.endStreams();
    await listener.close(drainMs);
    await supervisor.stop();
    await composition.close();
    logger.info({}, 'ended');
  }

  return {
    facts: factsOf(composition, config, url),
    reportFault,
    reloadTls: () => reloadTls(listener, logger),
    async stop() {
      health.report('process', 'ending');
      ending.abort();
      await orLate(endAll(), {
        clock,
        milliseconds: stopMs,
        late: () => logger.warn({}, 'ended what did not stop in time'),
      });
    },
  };
}

function factsOf(
  { database, services, tryNext, setUpLink }: Composition,
  config: Config,
  url: string,
): ServerFacts {
  const strangers = services.includes('authorization') ? describeStrangers(config) : [];
  return { url, version, pid: process.pid, database, services, tryNext, setUpLink, strangers };
}

async function reloadTls(listener: Listener, logger: Logger): Promise<void> {
  try {
    await listener.reloadTls();
    logger.info({}, 'certificate read again');
  } catch (error) {
    logger.error({ err: error }, 'certificate could not be read again');
  }
}

/** The edge while the parts are being opened: every path answers 503 and what is not ready yet (H11). */
function createStartingEdge(options: {
  readonly health: Health;
  readonly edge: Omit<GateOptions, 'mounts'>;
}): Edge {
  const app = new Hono<EdgeEnv>();
  app.all('/*', () => {
    throw new EdgeError('NOT_READY', 'This process is still starting: ask again in a moment.', {
      details: options.health.hindrances(),
      headers: { 'Retry-After': '1' },
    });
  });
  return createEdge({
    ...options.edge,
    mounts: [{ app, paths: { '/*': { origins: 'any', isProbe: true } } }],
  });
}
