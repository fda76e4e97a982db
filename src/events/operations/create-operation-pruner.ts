import type { Database } from '../../kernel/database/database.ts';
import { createPruner, type PrunerOptions } from '../../kernel/lifecycle/create-pruner.ts';
import type { Worker } from '../../kernel/lifecycle/worker.ts';
import { eventsLimits } from '../limits.ts';
import {
  pruneOldestOperations,
  pruneOldestOperationsOfEach,
  pruneOperations,
} from '../store/operation-store.ts';
import { pruneOldestSubscriptions, pruneSubscriptions } from '../store/subscription-store.ts';
import { operationsKept } from './get-operation.ts';

/** Often enough for rows that are kept for days, and each round stays small. */
const pruneEveryMs = 60_000;

/**
 * The worker that removes operations and ended subscriptions after 30 days (E3.38). If there are more than may be kept,
 * it removes the oldest sooner (N5).
 */
export function createOperationPruner(
  options: PrunerOptions & {
    readonly database: Database;
    /** Defaults to the declared limit. */
    readonly mostOfPrincipal?: number;
    readonly mostOfAll?: number;
  },
): Worker {
  const { database } = options;
  const { mostOfPrincipal = eventsLimits.operationsOfPrincipal.value } = options;
  const { mostOfAll = eventsLimits.operations.value } = options;
  return createPruner({
    ...options,
    name: 'operation-pruner',
    prunings: [
      ({ now, limit }) => pruneOperations(database, { createdBefore: now - operationsKept, limit }),
      ({ limit }) => pruneOldestOperationsOfEach(database, { kept: mostOfPrincipal, limit }),
      ({ limit }) => pruneOldestOperations(database, { kept: mostOfAll, limit }),
      ({ now, limit }) =>
        pruneSubscriptions(database, { endedBefore: now - operationsKept, limit }),
      ({ limit }) => pruneOldestSubscriptions(database, { kept: mostOfAll, limit }),
    ],
    pauseMs: pruneEveryMs,
  });
}
