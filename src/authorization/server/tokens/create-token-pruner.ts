import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { type Sql, sql } from '../../../kernel/database/sql.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';

export type TokenPrunerOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly onFailure?: (error: unknown) => void;
};

/** Small steps: each is one short write between those of others. */
const rowsPruned = 500;
const pauseBetweenRounds = 60_000;

/** The worker that forgets what has expired: grants and their codes, device codes, revocations, spent ids. */
export function createTokenPruner(options: TokenPrunerOptions): Worker {
  const { database, clock, onFailure = () => {} } = options;

  return {
    name: 'token-pruner',
    async run(signal) {
      while (!signal.aborted) {
        try {
          for (const prune of pruneStatements) {
            while (!signal.aborted && (await database.run(prune(clock.now()))) === rowsPruned);
          }
        } catch (error) {
          onFailure(error);
        }
        await clock.sleep(pauseBetweenRounds, signal);
      }
    },
  };
}

const pruneStatements: readonly ((now: number) => Sql)[] = [
  (now) => sql`
    DELETE FROM grants WHERE id IN (
      SELECT id FROM grants WHERE expires_at <= ${now} LIMIT ${rowsPruned})`,
  // A spent code is kept as long as its grant, so that it is known when it comes again.
  (now) => sql`
    DELETE FROM authorization_codes WHERE hash IN (
      SELECT hash FROM authorization_codes WHERE expires_at <= ${now} AND NOT EXISTS (
        SELECT 1 FROM grants WHERE grants.id = authorization_codes.grant_id)
      LIMIT ${rowsPruned})`,
  (now) => sql`
    DELETE FROM device_codes WHERE hash IN (
      SELECT hash FROM device_codes WHERE expires_at <= ${now} LIMIT ${rowsPruned})`,
  (now) => sql`
    DELETE FROM revocations WHERE (kind, subject) IN (
      SELECT kind, subject FROM revocations WHERE valid_until <= ${now} LIMIT ${rowsPruned})`,
  (now) => sql`
    DELETE FROM spent_ids WHERE id IN (
      SELECT id FROM spent_ids WHERE expires_at <= ${now} LIMIT ${rowsPruned})`,
];
