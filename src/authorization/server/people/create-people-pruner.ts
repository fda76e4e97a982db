import {
  createPruner,
  type PrunerOptions,
  type Pruning,
} from '../../../kernel/lifecycle/create-pruner.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';

/** The worker that forgets what is over: sessions of browsers, challenges of wallets, begun sign-ins. */
export function createPeoplePruner(
  options: PrunerOptions & { readonly prunings: readonly Pruning[] },
): Worker {
  return createPruner({ ...options, name: 'people-pruner', pauseMs: 10 * 60_000 });
}
