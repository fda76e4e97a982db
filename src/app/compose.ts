import type { Clock } from '../kernel/clock.ts';
import { migrate } from '../kernel/database/migrate.ts';
import { openDatabase } from '../kernel/database/open-database.ts';
import { createInProcessEventBus } from '../kernel/event-bus/in-process-event-bus.ts';
import { createEdge } from '../kernel/http/create-edge.ts';
import type { Health } from '../kernel/lifecycle/health.ts';
import type { Worker } from '../kernel/lifecycle/worker.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { parseNetworks } from '../kernel/network/network.ts';
import { createOutboxPruner } from '../kernel/outbox/outbox-pruner.ts';
import { openOutboxRelay } from '../kernel/outbox/outbox-relay.ts';
import type { Random } from '../kernel/random.ts';
import { createRateLimitPruner } from '../kernel/rate-limit/rate-limit-pruner.ts';
import { openSwap } from '../swap/index.ts';
import type { Config } from './all-settings.ts';
import { migrations } from './migrations.ts';
import { observeRequests } from './observe-requests.ts';
import { operatorMount } from './operator-mount.ts';
import type { ServiceName } from './server-settings.ts';
import { suggestCommands } from './suggest-commands.ts';

export type ComposeOptions = {
  readonly config: Config;
  readonly publicUrl: URL;
  /** Only this machine can reach the process, so that it may offer what others must not drive. */
  readonly isPrivate: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly clock: Clock;
  readonly random: Random;
};

export type Composition = {
  readonly fetch: ReturnType<typeof createEdge>['fetch'];
  readonly workers: readonly Worker[];
  /** What the store is, for people. */
  readonly database: string;
  readonly services: readonly ServiceName[];
  /** Commands that show what this process can do. */
  readonly tryNext: readonly string[];
  close(): Promise<void>;
};

/** Makes every part of the process and joins them: the only place where concrete parts meet. */
export async function compose(options: ComposeOptions): Promise<Composition> {
  const { config, publicUrl, logger, metrics, health, clock, random } = options;
  const { dataDir, databaseUrl } = config.server;

  const database = await openDatabase({ dataDir, url: databaseUrl });
  try {
    await migrate(database, migrations);

    const bus = createInProcessEventBus();
    const relay = await openOutboxRelay({
      database,
      bus,
      clock,
      random,
      onFailure: ({ error, consumer, event, attempts }) =>
        logger.error(
          { err: error, consumer, topic: event?.topic, event: event?.id, attempts },
          'event not handled, comes again',
        ),
    });
    const pruner = createOutboxPruner({
      database,
      bus,
      clock,
      onFailure: (error) => logger.error({ err: error }, 'outbox not pruned'),
    });

    const rateLimitPruner = createRateLimitPruner({
      database,
      clock,
      onFailure: (error) => logger.error({ err: error }, 'rate limits not pruned'),
    });

    const isServed = (name: ServiceName) => config.server.services.includes(name);
    const devchain =
      isServed('swap') && config.server.devchain === 'auto' && options.isPrivate
        ? await startDevelopmentChain({ publicUrl, logger })
        : undefined;
    const swap = isServed('swap')
      ? await openSwap({
          settings: config.swap,
          development: devchain?.chain,
          database,
          publicUrl,
          clock,
          random,
          logger,
          metrics,
        })
      : undefined;

    const edge = createEdge({
      publicUrl,
      trustedProxies: parseNetworks(config.server.trustedProxy ?? []),
      mounts: [
        operatorMount({ health, database, metrics, clock }),
        ...(devchain ? [devchain.mount] : []),
        ...(swap ? [swap.mount] : []),
      ],
      logger,
      clock,
      random,
      observeRequest: observeRequests(metrics),
    });
    return {
      fetch: edge.fetch,
      workers: [relay, pruner, rateLimitPruner, ...(swap?.workers ?? [])],
      database: database.engine === 'sqlite' ? `embedded, in ${dataDir}` : 'PostgreSQL',
      services: swap ? ['swap'] : [],
      tryNext: suggestCommands(publicUrl, devchain?.chain),
      async close() {
        await swap?.close();
        devchain?.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Loaded only where it runs: a server for others needs neither the chain nor its libraries. */
async function startDevelopmentChain(options: Pick<ComposeOptions, 'publicUrl' | 'logger'>) {
  const { openDevchain } = await import('./open-devchain.ts');
  return openDevchain(options);
}
