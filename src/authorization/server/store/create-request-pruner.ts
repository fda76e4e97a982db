import type { Database } from '../../../kernel/database/database.ts';
import { createPruner, type PrunerOptions } from '../../../kernel/lifecycle/create-pruner.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';
import { authorizationLimits } from '../../limits.ts';
import type { ClientStore } from './client-store.ts';
import { pruneInteractions, pruneOldest } from './interaction-store.ts';
import { prunePushedRequests } from './pushed-request-store.ts';

const mostInteractions = authorizationLimits.interactions.value;

/** The worker that forgets requests nobody decided in time, and clients nobody used (R6). */
export function createRequestPruner(
  options: PrunerOptions & {
    readonly database: Database;
    readonly clients: Pick<ClientStore, 'prune'>;
  },
): Worker {
  const { database, clients } = options;
  return createPruner({
    ...options,
    name: 'authorization-request-pruner',
    prunings: [
      (step) => pruneInteractions(database, step),
      ({ limit }) => pruneOldest(database, { limit, kept: mostInteractions }),
      (step) => prunePushedRequests(database, step),
      (step) => clients.prune(step),
    ],
    pauseMs: 60_000,
  });
}
