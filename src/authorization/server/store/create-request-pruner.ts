import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';
import type { ClientStore } from './client-store.ts';
import { pruneInteractions } from './interaction-store.ts';
import { prunePushedRequests } from './pushed-request-store.ts';

/** Small steps: each is one short write between those of others. */
const limit = 500;
const pauseBetweenRounds = 60_000;

/** The worker that forgets requests nobody decided in time, and clients nobody used (R6). */
export function createRequestPruner(options: {
  readonly database: Database;
  readonly clients: Pick<ClientStore, 'prune'>;
  readonly clock: Clock;
  readonly onFailure?: (error: unknown) => void;
}): Worker {
  const { database, clients, clock, onFailure = () => {} } = options;
  const prunes = [
    (now: number) => pruneInteractions(database, { now, limit }),
    (now: number) => prunePushedRequests(database, { now, limit }),
    (now: number) => clients.prune({ now, limit }),
  ];
  return {
    name: 'authorization-request-pruner',
    async run(signal) {
      while (!signal.aborted) {
        try {
          for (const prune of prunes) {
            while (!signal.aborted && (await prune(clock.now())) === limit);
          }
        } catch (error) {
          onFailure(error);
        }
        await clock.sleep(pauseBetweenRounds, signal);
      }
    },
  };
}
