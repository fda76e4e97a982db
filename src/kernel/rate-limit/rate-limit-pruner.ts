import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Worker } from '../lifecycle/worker.ts';
import { pruneRateLimits } from './rate-limit-store.ts';

export type RateLimitPrunerOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly onFailure?: (error: unknown) => void;
};

/** Small steps: each is one short write between those of others. */
const callersPruned = 500;
const pauseBetweenRounds = 60_000;

/** The worker that forgets callers who have all their tokens again. */
export function createRateLimitPruner(options: RateLimitPrunerOptions): Worker {
  const { database, clock, onFailure = () => {} } = options;
  const limit = callersPruned;

  return {
    name: 'rate-limit-pruner',
    async run(signal) {
      while (!signal.aborted) {
        try {
          while (!signal.aborted) {
            const pruned = await pruneRateLimits(database, { now: clock.now() * 1_000, limit });
            if (pruned < limit) break;
          }
        } catch (error) {
          onFailure(error);
        }
        await clock.sleep(pauseBetweenRounds, signal);
      }
    },
  };
}
