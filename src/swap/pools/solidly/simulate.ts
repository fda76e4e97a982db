import type { ExactInput, SwapResult } from '../pool-state.ts';
import { takeNothing } from '../take-nothing.ts';
import type { SolidlyState } from './solidly-pool.ts';
import {
  scaleFromCurve,
  scaleToCurve,
  stableInvariant,
  stableReserve,
  velodromeReserve,
} from './stable-curve.ts';

/**
 * Swaps an exact input in a pair of Solidly, to the last unit: `getAmountOut` followed by `swap` [Q26].
 * Takes nothing of an input that the pair would refuse. A stable pair may refuse the output of its own
 * curve, since its check of the invariant rounds in another way.
 *
 * Does not know of tokens that take a tax on transfer (offer what the pool receives), nor of
 * tokens that lie in the pair beyond its reserves.
 */
export function simulateSolidly(
  state: SolidlyState,
  { zeroForOne, amountIn }: ExactInput,
): SwapResult<SolidlyState> {
  const { reserve0, reserve1, unit0, unit1 } = state;
  if (reserve0 === 0n || reserve1 === 0n) return takeNothing(state, 'liquidity-exhausted');
  const amountInLessFee = amountIn - (amountIn * state.feeBps) / 10_000n;
  const sides = zeroForOne
    ? { reserveIn: reserve0, reserveOut: reserve1, unitIn: unit0, unitOut: unit1 }
    : { reserveIn: reserve1, reserveOut: reserve0, unitIn: unit1, unitOut: unit0 };
  const { reserveIn, reserveOut } = sides;
  const reserveInAfter = reserveIn + amountInLessFee;
  // The widest product of the volatile curve; the stable one counts its own.
  if (reserveInAfter * reserveOut > maxProduct) return takeNothing(state, 'reserve-overflow');
  const amountOut = state.isStable
    ? stableAmountOut(state, sides, amountInLessFee)
    : (amountInLessFee * reserveOut) / reserveInAfter;
  if (amountOut <= 0n) return takeNothing(state, 'no-output');
  if (amountOut >= reserveOut) return takeNothing(state, 'liquidity-exhausted');
  const reserveOutAfter = reserveOut - amountOut;
  const stateAfter = {
    ...state,
    reserve0: zeroForOne ? reserveInAfter : reserveOutAfter,
    reserve1: zeroForOne ? reserveOutAfter : reserveInAfter,
  };
  if (state.isStable && !keepsInvariant(state, stateAfter)) {
    return takeNothing(state, 'invariant-rounding');
  }
  return { amountInUsed: amountIn, amountOut, stateAfter, shortfall: undefined };
}

type Sides = {
  readonly reserveIn: bigint;
  readonly reserveOut: bigint;
  readonly unitIn: bigint;
  readonly unitOut: bigint;
};

/** Zero where the iteration of the contract fails. */
function stableAmountOut(
  { generation, unit0, unit1 }: SolidlyState,
  sides: Sides,
  amountInLessFee: bigint,
): bigint {
  const x = scaleToCurve(sides.reserveIn, sides.unitIn);
  const y = scaleToCurve(sides.reserveOut, sides.unitOut);
  const xAfter = x + scaleToCurve(amountInLessFee, sides.unitIn);
  const invariant = stableInvariant(x, y);
  if (invariant === undefined) return 0n;
  const yAfter =
    generation === 'velodrome-v2'
      ? velodromeReserve(xAfter, { invariant, start: y, units: [unit0, unit1] })
      : stableReserve(xAfter, { invariant, start: y });
  return yAfter === undefined ? 0n : scaleFromCurve(y - yAfter, sides.unitOut);
}

/** The check of `swap`. */
function keepsInvariant(before: SolidlyState, after: SolidlyState): boolean {
  const kept = invariantOf(before);
  const reached = invariantOf(after);
  return kept !== undefined && reached !== undefined && reached >= kept;
}

function invariantOf({ reserve0, reserve1, unit0, unit1 }: SolidlyState): bigint | undefined {
  return stableInvariant(scaleToCurve(reserve0, unit0), scaleToCurve(reserve1, unit1));
}

/** The pair counts in `uint256` and refuses what leaves it. */
const maxProduct = (1n << 256n) - 1n;
