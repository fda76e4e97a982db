import { poolKindOf } from './pool-kinds.ts';
import type { ExactInput, PoolState, SwapResult } from './pool-state.ts';

/**
 * Swaps an exact input in a pool of any kind, to the last unit of what its contract would do. Pure:
 * the state handed in stays as it is. Never throws; a swap the contract refuses takes nothing.
 */
export function simulateSwap(state: PoolState, offer: ExactInput): SwapResult {
  return poolKindOf(state).simulate(state, offer);
}
