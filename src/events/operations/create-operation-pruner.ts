import type { Database } from '../../kernel/database/database.ts';
import { createPruner, type PrunerOptions } from '../../kernel/lifecycle/create-pruner.ts';
import type { Worker } from '../../kernel/lifecycle/worker.ts';
import { pruneOperations } from '../store/operation-store.ts';
import { pruneSubscriptions } from '../store/subscription-store.ts';
import { operationsKept } from './get-operation.ts';

/** Often enough for what is kept for days, and small steps each time. */
const pruneEveryMs = 60_000;

/** The worker that removes operations after 30 days (E3.38), and with them the subscriptions they ended. */
export function createOperationPruner(
  options: PrunerOptions & { readonly database: Database },
): Worker {
  return createPruner({
    ...options,
    name: 'operation-pruner',
    prunings: [
      ({ now, limit }) =>
        pruneOperations(options.database, { createdBefore: now - operationsKept, limit }),
      ({ now, limit }) =>
        pruneSubscriptions(options.database, { endedBefore: now - operationsKept, limit }),
    ],
    pauseMs: pruneEveryMs,
  });
}
