import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Worker } from '../../kernel/lifecycle/worker.ts';
import { createOperationStore } from '../store/operation-store.ts';
import { createSubscriptionStore } from '../store/subscription-store.ts';
import { operationsKept } from './get-operation.ts';

/** Small steps: each is one short write between those of others. */
const prunedAtOnce = 200;
const pauseBetweenRounds = 60_000;

/** The worker that forgets operations after 30 days (E3.38), and with them the subscriptions they ended. */
export function createOperationPruner(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly onFailure?: (error: unknown) => void;
}): Worker {
  const { database, clock, onFailure = () => {} } = options;

  async function pruneStep(): Promise<number> {
    const [before, limit] = [clock.now() - operationsKept, prunedAtOnce];
    const operations = await createOperationStore(database).prune({ createdBefore: before, limit });
    const ended = await createSubscriptionStore(database).prune({ endedBefore: before, limit });
    return Math.max(operations, ended);
  }

  return {
    name: 'operation-pruner',
    async run(signal) {
      while (!signal.aborted) {
        try {
          while (!signal.aborted && (await pruneStep()) === prunedAtOnce);
        } catch (error) {
          onFailure(error);
        }
        await clock.sleep(pauseBetweenRounds, signal);
      }
    },
  };
}
