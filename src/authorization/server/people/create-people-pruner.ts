import { createPruner, type PrunerOptions } from '../../../kernel/lifecycle/create-pruner.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';

/** The worker that forgets what is over: sessions of browsers, challenges of wallets, begun sign-ins. */
export function createPeoplePruner({
  prunings,
  ...options
}: PrunerOptions & {
  /** There are few of these, so that each forgets all of its own at once. */
  readonly prunings: readonly (() => Promise<void>)[];
}): Worker {
  return createPruner({
    ...options,
    name: 'people-pruner',
    prunings: prunings.map((prune) => () => prune().then(() => 0)),
    pauseMs: 10 * 60_000,
  });
}
