/** The stable curve counts every token in units of 10⁻¹⁸. */
const one = 10n ** 18n;

/**
 * `x³y + y³x` with the rounding of `_k` of the pair, for reserves that are scaled to 18 decimals.
 * Undefined where a product leaves 256 bits: the pair then refuses every swap.
 */
export function stableInvariant(x: bigint, y: bigint): bigint | undefined {
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
export function stableReserve(x: bigint, { invariant, start }: Curve): bigint | undefined {
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
export function velodromeReserve(
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
export function scaleToCurve(amount: bigint, unit: bigint): bigint {
  return (amount * one) / unit;
}

/** The reverse of {@link scaleToCurve}, rounded down. */
export function scaleFromCurve(amount: bigint, unit: bigint): bigint {
  return (amount * unit) / one;
}

/** Whether each of the numbers that were joined by `|` has at most 256 bits. */
function fits(joined: bigint): boolean {
  return joined >> 256n === 0n;
}
