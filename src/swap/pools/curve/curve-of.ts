import { endOfCurve, type TradingCurve, tabulateCurve } from '../trading-curve.ts';
import { type CurveState, scaledBalances, stableSwapInvariant } from './simulate.ts';

/** What the pool gives in one direction, tabulated. The fee is taken from the output. */
export function curveOf(
  state: CurveState,
  { zeroForOne, around }: { readonly zeroForOne: boolean; readonly around?: number },
): TradingCurve {
  const trade = describeTrade(state, zeroForOne);
  if (trade === undefined) return { keep: 1, segments: [endOfCurve] };
  const { x, y, unitIn, unitOut, kept } = trade;
  const output = (input: number) => outputOf(trade, input / unitIn) * kept * unitOut;
  const slope = (input: number) => (rateAt(trade, input / unitIn) * kept * unitOut) / unitIn;
  return tabulateCurve({
    value: output,
    slope,
    capacity: largestTrade * (x + y) * unitIn,
    // Both iterations of the pool end within one unit of 10⁻¹⁸, and rounding down costs one of the coin.
    slack: 2 + 64e-18 * unitOut,
    around,
  });
}

/** Price of the input in the output, for a vanishing trade without fee. */
export function curveMidPrice(state: CurveState, zeroForOne: boolean): number {
  const trade = describeTrade(state, zeroForOne);
  return trade === undefined ? 0 : (rateAt(trade, 0) * trade.unitOut) / trade.unitIn;
}

/** In multiples of both balances: a trade this large leaves next to nothing of the other coin. */
const largestTrade = 1e4;

/** All in whole coins. */
type Trade = {
  readonly x: number;
  readonly y: number;
  /** Sum of the other balances, and D^(n+1) / (nⁿ · product of the other balances). */
  readonly others: number;
  readonly quotient: number;
  readonly invariant: number;
  /** A · n */
  readonly slope: number;
  readonly kept: number;
  readonly unitIn: number;
  readonly unitOut: number;
};

function describeTrade(state: CurveState, zeroForOne: boolean): Trade | undefined {
  const [sold, bought] = zeroForOne ? [state.index0, state.index1] : [state.index1, state.index0];
  const scaled = scaledBalances(state);
  const exact = stableSwapInvariant(scaled, state.amplification);
  if (exact === undefined || scaled.includes(0n)) return undefined;
  const balances = scaled.map((balance) => Number(balance) / 1e18);
  const invariant = Number(exact) / 1e18;
  const others = balances.filter((_, index) => index !== sold && index !== bought);
  const count = balances.length;
  return {
    x: balances[sold] ?? 0,
    y: balances[bought] ?? 0,
    others: others.reduce((sum, balance) => sum + balance, 0),
    quotient: others.reduce(
      (quotient, balance) => (quotient * invariant) / (balance * count),
      (invariant * invariant * invariant) / (count * count),
    ),
    invariant,
    slope: Number(state.amplification) * count,
    kept: 1 - Number(state.fee) / 1e10,
    unitIn: 1e36 / Number(state.rates[sold] ?? 0n),
    unitOut: 1e36 / Number(state.rates[bought] ?? 0n),
  };
}

/** The balance of y for this x: the positive root of y² + (S + D/An − D)·y = D^(n+1)/(nⁿ·P·An). */
function balanceOf({ others, quotient, invariant, slope }: Trade, x: number): number {
  const half = (x + others + invariant / slope - invariant) / 2;
  const constant = quotient / (x * slope);
  const root = Math.sqrt(half * half + constant);
  return half > 0 ? constant / (root + half) : root - half;
}

/** How much of y the next small unit of x is worth after this input. */
function rateAt(trade: Trade, input: number): number {
  const x = trade.x + input;
  const y = balanceOf(trade, x);
  const product = trade.quotient / (x * y);
  return (trade.slope + product / x) / (trade.slope + product / y);
}

function outputOf(trade: Trade, input: number): number {
  // For a small trade the difference of two balances loses its digits. The mean of the rates at both ends is
  // exact enough, and not less.
  if (input < 1e-5 * trade.x) return (input * (rateAt(trade, 0) + rateAt(trade, input))) / 2;
  return balanceOf(trade, trade.x) - balanceOf(trade, trade.x + input);
}
