import { type ExactInput, type Shortfall, type SwapResult, takeNothing } from '../pool.ts';
import { countTicksUpTo, feeOf, type TickState } from './concentrated-pool.ts';
import { computeSwapStep } from './swap-step.ts';
import {
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
  sqrtRatioAtTick,
  tickAtSqrtRatio,
} from './ticks.ts';

/**
 * Swaps an exact input in a Uniswap V3 pool or a fork, to the last unit: `UniswapV3Pool.swap` with
 * the widest price limit, as routers call it [Q13]. Like the pool it stops at the border of every
 * word of the tick bitmap, because each stop rounds the fee up once more.
 *
 * The protocol's share is cut from the fee and changes neither amounts nor prices. Does not know of
 * tokens that take a tax on transfer: offer what the pool receives.
 */
export function simulateConcentrated<State extends TickState>(
  state: State,
  { zeroForOne, amountIn }: ExactInput,
): SwapResult<State> {
  const { ticks, tickSpacing } = state;
  const fee = BigInt(feeOf(state, zeroForOne));
  const outermostTick = zeroForOne ? MIN_TICK : MAX_TICK;
  const priceLimit = zeroForOne ? MIN_SQRT_RATIO + 1n : MAX_SQRT_RATIO - 1n;
  let { sqrtPriceX96, tick, liquidity } = state;
  if (zeroForOne ? sqrtPriceX96 <= priceLimit : sqrtPriceX96 >= priceLimit) {
    return takeNothing(state, 'liquidity-exhausted');
  }
  let position = countTicksUpTo(ticks, tick) - (zeroForOne ? 1 : 0);
  let amountRemaining = amountIn;
  let amountOut = 0n;
  let shortfall: Shortfall | undefined;

  while (amountRemaining > 0n) {
    const ahead = ticks[position];
    // Without liquidity no input is taken and no fee is rounded: word borders need no stop.
    const border =
      liquidity === 0n || state.hasTickTree
        ? outermostTick
        : clampTick(lastOfWord(Math.floor(tick / tickSpacing), zeroForOne) * tickSpacing);
    const crosses =
      ahead !== undefined && (zeroForOne ? ahead.index >= border : ahead.index <= border);
    const nextTick = crosses ? ahead.index : border;
    if (nextTick < state.lowestKnownTick || nextTick > state.highestKnownTick) {
      shortfall = 'ticks-unknown';
      break;
    }
    const nextPriceX96 = sqrtRatioAtTick(nextTick);
    const isBeyondLimit = zeroForOne ? nextPriceX96 < priceLimit : nextPriceX96 > priceLimit;
    const step = computeSwapStep({
      zeroForOne,
      sqrtPriceX96,
      targetX96: isBeyondLimit ? priceLimit : nextPriceX96,
      liquidity,
      amountRemaining,
      fee,
    });
    amountRemaining -= step.amountIn;
    amountOut += step.amountOut;
    if (step.sqrtPriceX96 !== nextPriceX96) {
      // The pool keeps its tick when the price did not move, even one that lies below the price.
      if (step.sqrtPriceX96 !== sqrtPriceX96) tick = tickAtSqrtRatio(step.sqrtPriceX96);
      sqrtPriceX96 = step.sqrtPriceX96;
      if (amountRemaining > 0n) shortfall = 'liquidity-exhausted';
      break;
    }
    sqrtPriceX96 = nextPriceX96;
    tick = zeroForOne ? nextTick - 1 : nextTick;
    if (crosses) {
      liquidity += zeroForOne ? -ahead.liquidityNet : ahead.liquidityNet;
      if (liquidity < 0n) return takeNothing(state, 'ticks-inconsistent');
      position += zeroForOne ? -1 : 1;
    }
  }

  if (amountOut === 0n) return takeNothing(state, shortfall ?? 'no-output');
  if (shortfall !== undefined) {
    // The loop went on to look for liquidity; the swap leaves the pool where the input taken ends.
    const amountTaken = amountIn - amountRemaining;
    return { ...simulateConcentrated(state, { zeroForOne, amountIn: amountTaken }), shortfall };
  }
  return {
    amountInUsed: amountIn,
    amountOut,
    stateAfter: { ...state, sqrtPriceX96, tick, liquidity },
    shortfall,
  };
}

/**
 * Where the pool stops next if no initialized tick comes first, counted in tick spacings: the end of
 * the bitmap word it looks at, as in `TickBitmap.nextInitializedTickWithinOneWord`.
 */
function lastOfWord(compressedTick: number, zeroForOne: boolean): number {
  return zeroForOne ? compressedTick & ~0xff : (compressedTick + 1) | 0xff;
}

function clampTick(tick: number): number {
  return Math.max(MIN_TICK, Math.min(tick, MAX_TICK));
}
