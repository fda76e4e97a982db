import type { Clock } from '../../../kernel/clock.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';
import type { Logger } from '../../../kernel/logger.ts';

const pauseBetweenRounds = 10 * 60_000;

/** The worker that forgets what is over: sessions of browsers, challenges of wallets, begun sign-ins. */
export function createPeoplePruner(options: {
  prunings: readonly (() => Promise<void>)[];
  clock: Clock;
  logger: Logger;
}): Worker {
  const { prunings, clock, logger } = options;
  return {
    name: 'people-pruner',
    async run(signal) {
      while (!signal.aborted) {
        const rounds = await Promise.allSettled(prunings.map((prune) => prune()));
        for (const round of rounds) {
          if (round.status === 'rejected')
            logger.error({ err: round.reason }, 'sessions not pruned');
        }
        await clock.sleep(pauseBetweenRounds, signal);
      }
    },
  };
}
