import type { Database } from '../../kernel/database/database.ts';
import { type Sql, sql } from '../../kernel/database/sql.ts';
import {
  createPruner,
  type PrunerOptions,
  type Pruning,
  type Worker,
} from '../../kernel/process/worker.ts';
import { authorizationLimits } from '../limits.ts';
import type { ClientId } from '../model/client.ts';
import { listOldestClients, pruneClients } from './client-store.ts';
import { pruneGrants } from './grant-store.ts';
import {
  pruneInteractions,
  pruneOldest,
  pruneOldestPushedRequests,
  prunePushedRequests,
} from './request-store.ts';

const mostDeviceCodes = authorizationLimits.deviceCodes.value;

/**
 * The worker that forgets what has expired: grants with their codes, device codes, revocations, spent ids; and the
 * oldest device codes beyond the bound (N5).
 */
export function createTokenPruner(
  options: PrunerOptions & { readonly database: Database },
): Worker {
  const { database } = options;
  return createPruner({
    ...options,
    name: 'token-pruner',
    prunings: [
      (step) => pruneGrants(database, step),
      ...statements.map(
        (toStatement): Pruning =>
          (step) =>
            database.run(toStatement(step)),
      ),
    ],
    pauseMs: 60_000,
  });
}

const statements: readonly ((step: Parameters<Pruning>[0]) => Sql)[] = [
  ({ now, limit }) => sql`
    DELETE FROM device_codes WHERE hash IN (
      SELECT hash FROM device_codes WHERE expires_at <= ${now} LIMIT ${limit})`,
  ({ limit }) => sql`
    DELETE FROM device_codes WHERE hash IN (
      SELECT hash FROM device_codes ORDER BY expires_at DESC LIMIT ${limit} OFFSET ${mostDeviceCodes})`,
  ({ now, limit }) => sql`
    DELETE FROM revocations WHERE (kind, subject) IN (
      SELECT kind, subject FROM revocations WHERE valid_until <= ${now} LIMIT ${limit})`,
  ({ now, limit }) => sql`
    DELETE FROM spent_ids WHERE id IN (
      SELECT id FROM spent_ids WHERE expires_at <= ${now} LIMIT ${limit})`,
];

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
