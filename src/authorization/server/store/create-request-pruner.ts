import type { Database } from '../../../kernel/database/database.ts';
import { createPruner, type PrunerOptions } from '../../../kernel/lifecycle/create-pruner.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';
import { authorizationLimits } from '../../limits.ts';
import type { ClientId } from '../model/client.ts';
import { listOldestClients, pruneClients } from './client-store.ts';
import { pruneInteractions, pruneOldest } from './interaction-store.ts';
import { pruneOldestPushedRequests, prunePushedRequests } from './pushed-request-store.ts';

const mostInteractions = authorizationLimits.interactions.value;
const mostPushed = authorizationLimits.pushedRequests.value;
const mostClients = authorizationLimits.clients.value;

/**
 * The worker that forgets requests nobody decided in time, clients nobody used (R6), and the oldest of
 * those beyond the bound that no person agreed to (N5).
 */
export function createRequestPruner(
  options: PrunerOptions & {
    readonly database: Database;
    /** Forgets a client that no person agreed to, with all that it holds. */
    readonly removeClient: (clientId: ClientId) => Promise<void>;
  },
): Worker {
  const { database, removeClient } = options;
  const forgetOldest = async (limit: number): Promise<number> => {
    const oldest = await listOldestClients(database, { kept: mostClients, limit });
    for (const clientId of oldest) await removeClient(clientId);
    return oldest.length;
  };
  return createPruner({
    ...options,
    name: 'authorization-request-pruner',
    prunings: [
      (step) => pruneInteractions(database, step),
      (step) => pruneOldest(database, { ...step, kept: mostInteractions }),
      (step) => prunePushedRequests(database, step),
      ({ limit }) => pruneOldestPushedRequests(database, { limit, kept: mostPushed }),
      (step) => pruneClients(database, step),
      ({ limit }) => forgetOldest(limit),
    ],
    pauseMs: 60_000,
  });
}
