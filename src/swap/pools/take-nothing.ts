import type { PoolState, Shortfall, SwapResult } from './pool-state.ts';

/** The result of a swap that the contract refuses, or that nobody would want: nothing moves. */
export function takeNothing<State extends PoolState>(
  state: State,
  shortfall: Shortfall,
): SwapResult<State> {
  return { amountInUsed: 0n, amountOut: 0n, stateAfter: state, shortfall };
}
