import { simulateConcentrated } from '../concentrated/simulate.ts';
import type { ExactInput, SwapResult } from '../pool-state.ts';
import { takeNothing } from '../take-nothing.ts';
import { swapFee } from './swap-fee.ts';
import type { UniswapV4State } from './uniswap-v4-pool.ts';

/**
 * Swaps an exact input in a pool without hooks, to the last unit: `Pool.swap` of Uniswap V4, which computes as
 * V3 does with the fee of the protocol counted in [Q13].
 */
export function simulateUniswapV4(
  state: UniswapV4State,
  offer: ExactInput,
): SwapResult<UniswapV4State> {
  const paying = { ...state, fee: swapFee(state, offer.zeroForOne) };
  const result = simulateConcentrated(paying, offer);
  // The manager counts what it owes and is owed in `int128`.
  if (result.amountInUsed > maxAmount || result.amountOut > maxAmount) {
    return takeNothing(state, 'reserve-overflow');
  }
  return { ...result, stateAfter: { ...result.stateAfter, fee: state.fee } };
}

const maxAmount = (1n << 127n) - 1n;
