import type { Database } from '../database/database.ts';
import { createPruner, type PrunerOptions } from '../lifecycle/create-pruner.ts';
import type { Worker } from '../lifecycle/worker.ts';
import { pruneRateLimits } from './rate-limit-store.ts';

/** The worker that deletes callers whose buckets are full again. */
export function createRateLimitPruner(
  options: PrunerOptions & { readonly database: Database },
): Worker {
  return createPruner({
    ...options,
    name: 'rate-limit-pruner',
    prunings: [({ now, limit }) => pruneRateLimits(options.database, { now: now * 1_000, limit })],
    pauseMs: 60_000,
  });
}
