import type { Edge } from '../kernel/http/create-edge.ts';
import { type Listener, openListener } from '../kernel/http/listener/open-listener.ts';
import { createHealth } from '../kernel/lifecycle/health.ts';
import { type ReportFault, reportFaults } from '../kernel/lifecycle/report-faults.ts';
import { returnMemory } from '../kernel/lifecycle/return-memory.ts';
import { startWorkers } from '../kernel/lifecycle/supervisor.ts';
import type { Logger } from '../kernel/logging/logger.ts';
import { createMetrics } from '../kernel/metrics/metrics.ts';
import { isLoopbackHost } from '../kernel/network/is-loopback-host.ts';
import { parseNetworks } from '../kernel/network/network.ts';
import { systemRandom } from '../kernel/random/random.ts';
import { systemClock } from '../kernel/time/clock.ts';
import { orLate } from '../kernel/time/or-late.ts';
import { createSteadyClock } from '../kernel/time/steady-clock.ts';
import { describeStrangers, type StrangersGet } from './access/describe-strangers.ts';
import { type Composition, compose } from './compose.ts';
import { createStartingEdge } from './create-starting-edge.ts';
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

export type RunningServer = {
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
