import {
  type Create2Exchange,
  type ExactInput,
  type Pool,
  type PoolState,
  type SwapResult,
  takeNothing,
} from '../pool.ts';

/** Which iteration finds the output of a stable pair: that of Solidly, or the one of Velodrome V2 and Aerodrome. */
type SolidlyGeneration = 'solidly' | 'velodrome-v2';

export type SolidlyExchange = Create2Exchange & {
  readonly kind: 'solidly';
  readonly generation: SolidlyGeneration;
  /** In ten-thousandths, or `factory` where `getFee` of the factory tells it for each pair. */
  readonly feeBps: 'factory' | { readonly volatile: number; readonly stable: number };
};

export type SolidlyPool = Pool & {
  readonly kind: 'solidly';
  readonly generation: SolidlyGeneration;
  readonly isStable: boolean;
  /** Undefined where the factory tells it. */
  readonly feeBps: bigint | undefined;
  readonly factory: SolidlyExchange['factory'];
};

/** A pair of Solidly or one of its forks. The fee leaves the reserves with every swap. */
export type SolidlyState = PoolState & {
  readonly kind: 'solidly';
  readonly generation: SolidlyGeneration;
  /** The curve: `x³y + y³x = k` for a stable pair, `x · y = k` for a volatile one. */
  readonly isStable: boolean;
  readonly reserve0: bigint;
  readonly reserve1: bigint;
  /** One whole token in units: 10 to the power of its decimals. */
  readonly unit0: bigint;
  readonly unit1: bigint;
  /** The fee on the input, in ten-thousandths. */
  readonly feeBps: bigint;
};

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

/** The stable curve counts every token in units of 10⁻¹⁸. */
const one = 10n ** 18n;

/**
 * `x³y + y³x` with the rounding of `_k` of the pair, for reserves that are scaled to 18 decimals.
 * Undefined where a product leaves 256 bits: the pair then refuses every swap.
 */
function stableInvariant(x: bigint, y: bigint): bigint | undefined {
  const product = x * y;
  const squares = (x * x) / one + (y * y) / one;
  const invariant = (product / one) * squares;
  return fits((x * x) | (y * y) | product | invariant) ? invariant / one : undefined;
}

/** The invariant of a swap, and the reserve before it. */
type Curve = { readonly invariant: bigint; readonly start: bigint };

/**
 * The reserve that goes with the other one, `x`, on the curve of the invariant: Newton's iteration of
 * `_getY` from `start` on, which ends when a step moves by one unit at most. Undefined where the
 * contract reverts: a step below zero, a slope of zero, a product that leaves 256 bits.
 */
function stableReserve(x: bigint, { invariant, start }: Curve): bigint | undefined {
  const cubed = ((x * x) / one) * x;
  const cube = cubed / one;
  let y = start;
  for (let round = 0; round < 255; round++) {
    const square = (y * y) / one;
    const first = x * ((square * y) / one);
    const second = cube * y;
    const reached = first / one + second / one;
    const slope = (3n * x * square) / one + cube;
    const isBelow = reached < invariant;
    const distance = (isBelow ? invariant - reached : reached - invariant) * one;
    if (slope === 0n) return undefined;
    if (!fits(cubed | (y * y) | (square * y) | first | second | (3n * x * square) | distance)) {
      return undefined;
    }
    const step = distance / slope;
    y = isBelow ? y + step : y - step;
    if (y < 0n) return undefined;
    if (step <= 1n) break;
  }
  return y;
}

/**
 * The same by the iteration of Velodrome V2, as deployed on Optimism and Base. It ends when no step is left, on the
 * smallest reserve that reaches the invariant. If no step is left below the curve, the contracts scale the scaled
 * reserves once more; we reproduce that, down to the product that overflows.
 */
function velodromeReserve(
  x: bigint,
  { invariant, start, units }: Curve & { readonly units: readonly [bigint, bigint] },
): bigint | undefined {
  const cubed = ((x * x) / one) * x;
  let y = start;
  for (let round = 0; round < 255; round++) {
    const reached = stableInvariant(x, y);
    const steep = 3n * x * ((y * y) / one);
    const slope = steep / one + cubed / one;
    if (reached === undefined || slope === 0n || !fits(cubed | steep)) return undefined;
    const isBelow = reached < invariant;
    const distance = (isBelow ? invariant - reached : reached - invariant) * one;
    if (!fits(distance)) return undefined;
    let step = distance / slope;
    if (step === 0n) {
      if (reached === invariant) return y;
      const next = isBelow
        ? stableInvariant(scaleToCurve(x, units[0]), scaleToCurve(y + 1n, units[1]))
        : stableInvariant(x, y - 1n);
      if (next === undefined) return undefined;
      if (isBelow ? next > invariant : next < invariant) return isBelow ? y + 1n : y;
      step = 1n;
    }
    y = isBelow ? y + step : y - step;
    if (y < 0n) return undefined;
  }
  return undefined;
}

/** An amount of a token, of which one whole is `unit`, in units of 10⁻¹⁸. */
function scaleToCurve(amount: bigint, unit: bigint): bigint {
  return (amount * one) / unit;
}

/** The reverse of {@link scaleToCurve}, rounded down. */
function scaleFromCurve(amount: bigint, unit: bigint): bigint {
  return (amount * unit) / one;
}

/** Whether each of the numbers that were joined by `|` has at most 256 bits. */
function fits(joined: bigint): boolean {
  return joined >> 256n === 0n;
}
