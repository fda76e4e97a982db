import type { Database } from '../../kernel/database/database.ts';
import type { EventBus } from '../../kernel/event-bus/event-bus.ts';
import type { Worker } from '../../kernel/lifecycle/worker.ts';
import type { Logger } from '../../kernel/logging/logger.ts';
import type { Random } from '../../kernel/random/random.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { Publisher } from '../publishing/publisher.ts';
import { createAuthorizationSource } from './create-authorization-source.ts';
import { createSwapSource } from './create-swap-source.ts';
import { createFolderSource } from './folder/create-folder-source.ts';
import type { PriceSource } from './price-source.ts';

export type SourcesOptions = {
  readonly publisher: Publisher;
  readonly masterKey: Uint8Array;
  readonly bus: EventBus;
  /** The swap service, where this process runs it. */
  readonly prices: PriceSource | undefined;
  /** The watched directories by the names of their folders. */
  readonly folders: ReadonlyMap<string, string>;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
};

/** Makes the worker of every source that this process can have, and subscribes to what other domains tell. */
export function createSources(options: SourcesOptions): readonly Worker[] {
  const { bus, prices, folders, logger } = options;
  bus.subscribe(createAuthorizationSource(options));
  const swapWorkers = prices
    ? createSwapSource({
        ...options,
        prices,
        onFailure: (error) => logger.error({ err: error }, 'pairs not watched, will be retried'),
      })
    : [];
  const folderWorkers = [...folders].map(([folder, path]) =>
    createFolderSource({
      ...options,
      folder,
      path,
      onFailure: (error) =>
        logger.error({ err: error, folder, path }, 'folder not read, will be retried'),
    }),
  );
  return [...swapWorkers, ...folderWorkers];
}
