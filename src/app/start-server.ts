import { systemClock } from '../kernel/clock.ts';
import { openListener } from '../kernel/http/open-listener.ts';
import { createHealth } from '../kernel/lifecycle/health.ts';
import { startWorkers } from '../kernel/lifecycle/supervisor.ts';
import type { Logger } from '../kernel/logger.ts';
import { createMetrics } from '../kernel/metrics.ts';
import { isLoopbackHost } from '../kernel/network/is-loopback-host.ts';
import { parseNetworks } from '../kernel/network/network.ts';
import { systemRandom } from '../kernel/random.ts';
import type { Config } from './all-settings.ts';
import { type Composition, compose } from './compose.ts';
import { version } from './version.ts';

/** What a running server tells of itself. */
export type ServerFacts = {
  readonly url: string;
  readonly version: string;
  readonly pid: number;
  readonly database: string;
  readonly services: readonly string[];
  /** Commands that show what the server can do. */
  readonly tryNext: readonly string[];
};

export type RunningServer = {
  readonly facts: ServerFacts;
  /** Lets running requests finish, stops the workers, closes the store. */
  stop(): Promise<void>;
};

// The whole way down takes at most ten seconds; the workers and the store get what requests leave of it.
const drainMs = 8_000;

/**
 * Starts the process: listens first, so that a taken port is known before anything else is touched,
 * and answers once every part is made. Throws what stands in the way of starting, with nothing left open.
 */
export async function startServer(options: {
  readonly config: Config;
  readonly logger: Logger;
}): Promise<RunningServer> {
  const { config, logger } = options;
  const { host, port, tlsCert, tlsKey, trustedProxy } = config.server;
  const clock = systemClock;
  const health = createHealth();
  const composed = Promise.withResolvers<Composition>();
  composed.promise.catch(() => {}); // told to the caller below; requests that wait for it fail with it

  const listener = await openListener({
    fetch: async (request, env) => (await composed.promise).fetch(request, env),
    host,
    port,
    ...(tlsCert && tlsKey ? { tls: { certPath: tlsCert, keyPath: tlsKey } } : {}),
    trustedProxies: parseNetworks(trustedProxy ?? []),
    clock,
  });
  const url =
    config.server.publicUrl ?? `${tlsCert ? 'https' : 'http'}://localhost:${listener.port}`;
  try {
    const metrics = createMetrics();
    const publicUrl = new URL(url);
    composed.resolve(
      await compose({
        config,
        publicUrl,
        isPrivate: isLoopbackHost(host) && tlsCert === undefined,
        logger,
        metrics,
        health,
        clock,
        random: systemRandom,
      }),
    );
  } catch (error) {
    composed.reject(error);
    await listener.close(0);
    throw error;
  }
  const composition = await composed.promise;
  const supervisor = startWorkers({ workers: composition.workers, clock, logger, health });
  health.report('process', undefined);
  logger.info({ url, pid: process.pid }, 'ready');

  return {
    facts: {
      url,
      version,
      pid: process.pid,
      database: composition.database,
      services: composition.services,
      tryNext: composition.tryNext,
    },
    async stop() {
      health.report('process', 'ending');
      await listener.close(drainMs);
      await supervisor.stop();
      await composition.close();
      logger.info({}, 'ended');
    },
  };
}
