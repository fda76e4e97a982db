import type { ExactInput, SwapResult } from '../pool-state.ts';
import { takeNothing } from '../take-nothing.ts';
import type { ConstantProductState } from './constant-product-pool.ts';

/**
 * Swaps an exact input in a Uniswap V2 pair or a fork with another fee, to the last unit:
 * `UniswapV2Library.getAmountOut` followed by `UniswapV2Pair.swap` [Q13]. The whole input, fee
 * included, stays in the reserves. Takes nothing of an input that the pair would refuse. The pair's
 * check of K always holds for an output rounded down like this one.
 *
 * Does not know of tokens that take a tax on transfer (offer what the pool receives), nor of
 * tokens that lie in the pair beyond its reserves.
 */
export function simulateConstantProduct(
  state: ConstantProductState,
  { zeroForOne, amountIn }: ExactInput,
): SwapResult<ConstantProductState> {
  const reserveIn = zeroForOne ? state.reserve0 : state.reserve1;
  const reserveOut = zeroForOne ? state.reserve1 : state.reserve0;
  if (reserveIn === 0n || reserveOut === 0n) return takeNothing(state, 'liquidity-exhausted');
  const reserveInAfter = reserveIn + amountIn;
  if (reserveInAfter > maxReserve) return takeNothing(state, 'reserve-overflow');

  const amountInLessFee = amountIn * state.feeNumerator;
  const amountOut =
    (amountInLessFee * reserveOut) / (reserveIn * state.feeDenominator + amountInLessFee);
  if (amountOut === 0n) return takeNothing(state, 'no-output');

  const reserveOutAfter = reserveOut - amountOut;
  return {
    amountInUsed: amountIn,
    amountOut,
    stateAfter: {
      ...state,
      reserve0: zeroForOne ? reserveInAfter : reserveOutAfter,
      reserve1: zeroForOne ? reserveOutAfter : reserveInAfter,
    },
    shortfall: undefined,
  };
}

/** The pair keeps its reserves in `uint112`. */
const maxReserve = (1n << 112n) - 1n;
