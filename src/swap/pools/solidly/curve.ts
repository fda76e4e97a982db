import { endOfCurve, type TradingCurve, tabulateCurve } from '../trading-curve.ts';
import type { SolidlyState } from './simulate.ts';

/**
 * What a pair gives in one direction. The volatile curve is one segment; the stable one is tabulated. The
 * pair rounds its fee down, so that a trade may be worth one unit of its input more than the curve says.
 */
export function solidlyCurve(
  state: SolidlyState,
  { zeroForOne, around }: { readonly zeroForOne: boolean; readonly around?: number },
): TradingCurve {
  const keep = 1 - Number(state.feeBps) / 10_000;
  const { reserveIn, reserveOut, unitIn, unitOut } = sidesOf(state, zeroForOne);
  if (!(reserveIn > 0 && reserveOut > 0)) return { keep, segments: [endOfCurve] };
  if (!state.isStable) return volatileCurve({ reserveIn, reserveOut, keep });
  const x = reserveIn / unitIn;
  const y = reserveOut / unitOut;
  const slope = (input: number) =>
    (stableRate(x + input / unitIn, y - given(input)) * unitOut) / unitIn;
  const given = (input: number) => stableOutput({ x, y, input: input / unitIn });
  return tabulateCurve({
    value: (input) => given(input) * unitOut,
    slope,
    keep,
    capacity: largestTrade * (x + y) * unitIn,
    // Roundings of the invariant and of the last step of the iteration, and the unit of the fee.
    slack: 4 + 4e-18 * unitOut + 2 * slope(0),
    ...(around === undefined ? {} : { around: around * keep }),
  });
}

/** Price of the input in the output, for a vanishing trade without fee. */
export function solidlyMidPrice(state: SolidlyState, zeroForOne: boolean): number {
  const { reserveIn, reserveOut, unitIn, unitOut } = sidesOf(state, zeroForOne);
  if (!state.isStable) return reserveOut / reserveIn;
  return (stableRate(reserveIn / unitIn, reserveOut / unitOut) * unitOut) / unitIn;
}

/** In multiples of all that the pair holds: that leaves less than 10⁻¹² of the other token. */
const largestTrade = 1e4;

function sidesOf(state: SolidlyState, zeroForOne: boolean) {
  const [reserve0, reserve1] = [Number(state.reserve0), Number(state.reserve1)];
  const [unit0, unit1] = [Number(state.unit0), Number(state.unit1)];
  return zeroForOne
    ? { reserveIn: reserve0, reserveOut: reserve1, unitIn: unit0, unitOut: unit1 }
    : { reserveIn: reserve1, reserveOut: reserve0, unitIn: unit1, unitOut: unit0 };
}

function volatileCurve({
  reserveIn,
  reserveOut,
  keep,
}: {
  reserveIn: number;
  reserveOut: number;
  keep: number;
}): TradingCurve {
  const room = largestProduct / reserveOut - reserveIn;
  const whole = {
    start: Math.sqrt(reserveOut / reserveIn),
    liquidity: Math.sqrt(reserveIn * reserveOut),
    inputBefore: 0,
    outputBefore: 0,
  };
  const full = {
    start: whole.liquidity / (reserveIn + room),
    liquidity: 0,
    inputBefore: room,
    outputBefore: reserveOut * (room / (reserveIn + room)),
  };
  const segments = [whole, full];
  const slack = reserveOut / reserveIn;
  const bound = segments.map((segment) => ({
    ...segment,
    outputBefore: segment.outputBefore + slack,
  }));
  return { keep, segments, bound };
}

/** The pair counts in `uint256`. */
const largestProduct = 2 ** 256;

/** How much of y the next small unit of x is worth while `x³y + y³x` stays constant. */
function stableRate(x: number, y: number): number {
  return (3 * x * x * y + y * y * y) / (x * x * x + 3 * x * y * y);
}

/**
 * What an input gives on `x³y + y³x = k`, in whole tokens. With the output Δ and X = x + input the
 * equation is input·(y·(3x² + 3x·input + input²) + y³) = Δ·(X³ + X·(3y² − 3yΔ + Δ²)), in which nothing
 * cancels; Newton's iteration finds Δ from below.
 */
function stableOutput({ x, y, input }: { x: number; y: number; input: number }): number {
  const sum = x + input;
  const due = input * (y * (3 * x * x + 3 * x * input + input * input) + y * y * y);
  let output = Math.min(due / (sum * sum * sum + 3 * sum * y * y), y);
  for (let round = 0; round < 60; round++) {
    const left = y - output;
    const reached = output * (sum * sum * sum + sum * (3 * y * left + output * output));
    const step = (due - reached) / (sum * sum * sum + 3 * sum * left * left);
    const next = Math.min(output + step, y);
    if (Math.abs(next - output) <= 2e-16 * next) return next;
    output = next;
  }
  return output;
}
