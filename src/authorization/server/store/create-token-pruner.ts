import type { Database } from '../../../kernel/database/database.ts';
import { type Sql, sql } from '../../../kernel/database/sql.ts';
import {
  createPruner,
  type PrunerOptions,
  type Pruning,
} from '../../../kernel/lifecycle/create-pruner.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';
import { authorizationLimits } from '../../limits.ts';
import { pruneGrants } from './grant-store.ts';

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
