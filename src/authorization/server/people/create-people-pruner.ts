import {
  createPruner,
  type PrunerOptions,
  type Pruning,
} from '../../../kernel/lifecycle/create-pruner.ts';
import type { Worker } from '../../../kernel/lifecycle/worker.ts';

/** The worker that forgets sessions of browsers, challenges of wallets and begun sign-ins that are over or too many. */
export function createPeoplePruner(
  options: PrunerOptions & { readonly prunings: readonly Pruning[] },
): Worker {
  return createPruner({ ...options, name: 'people-pruner', pauseMs: 60_000 });
}
