import type { Address } from '../../model.ts';
import {
  type CommonExchange,
  type ExactInput,
  type Pool,
  type PoolState,
  type SwapResult,
  takeNothing,
} from '../pool.ts';

/** Curve pools, listed by address. `factory` is the first of them: the first pools had no factory. */
export type CurveExchange = CommonExchange & {
  readonly kind: 'curve';
  readonly pools: readonly CurvePoolFacts[];
};

/** A plain pool of the first kind, as `StableSwap` of 2020 was: the pools of sUSD and its like. */
type CurvePoolFacts = { readonly address: Address; readonly coins: readonly CurveCoin[] };

/** In the pool's own order. */
type CurveCoin = { readonly address: Address; readonly decimals: number };

/** Two coins of a pool. */
export type CurvePool = Pool & {
  readonly kind: 'curve';
  readonly coins: readonly CurveCoin[];
  /** The places of token 0 and token 1 among the coins. */
  readonly index0: number;
  readonly index1: number;
};

/**
 * Two coins of a Curve pool of the first plain kind (`StableSwap` of 2020). The others matter too: the
 * invariant is of all of them.
 */
export type CurveState = PoolState & {
  readonly kind: 'curve';
  /** Of all coins, in the pool's own order. */
  readonly balances: readonly bigint[];
  /** What makes an amount of each coin comparable: 10¹⁸ for a coin of 18 decimals, 10³⁰ for one of 6. */
  readonly rates: readonly bigint[];
  /** The amplification as the pool's `A()` says it. */
  readonly amplification: bigint;
  /** Of the output, in 10⁻¹⁰. */
  readonly fee: bigint;
  /** The part of the fee that leaves the balances, in 10⁻¹⁰. */
  readonly adminFee: bigint;
  /** The places of token 0 and token 1 among the coins. */
  readonly index0: number;
  readonly index1: number;
};

const precision = 10n ** 18n;
const feeDenominator = 10n ** 10n;

/**
 * Exchanges an exact input between two coins of a Curve pool, to the last unit: `exchange` of the
 * plain `StableSwap` of 2020 [Q26]. The pool writes both balances back from their scaled values.
 *
 * Does not know of tokens that take a tax on transfer: offer what the pool receives.
 */
export function simulateCurve(
  state: CurveState,
  { zeroForOne, amountIn }: ExactInput,
): SwapResult<CurveState> {
  const [soldIndex, boughtIndex] = zeroForOne
    ? [state.index0, state.index1]
    : [state.index1, state.index0];
  const soldRate = state.rates[soldIndex];
  const boughtRate = state.rates[boughtIndex];
  const scaled = scaledBalances(state);
  const soldBefore = scaled[soldIndex];
  const boughtBefore = scaled[boughtIndex];
  if (!soldRate || !boughtRate || !soldBefore || !boughtBefore || scaled.includes(0n)) {
    return takeNothing(state, 'liquidity-exhausted');
  }
  const soldAfter = soldBefore + (amountIn * soldRate) / precision;
  const boughtAfter = balanceAfter(state, { scaled, soldIndex, soldAfter, boughtIndex });
  if (boughtAfter === undefined) return takeNothing(state, 'reserve-overflow');
  const bought = boughtBefore - boughtAfter;
  if (bought <= 0n) return takeNothing(state, 'no-output');
  const fee = (bought * state.fee) / feeDenominator;
  const kept = fee - (fee * state.adminFee) / feeDenominator;
  const amountOut = ((bought - fee) * precision) / boughtRate;
  if (amountOut === 0n) return takeNothing(state, 'no-output');

  const balances = [...state.balances];
  balances[soldIndex] = (soldAfter * precision) / soldRate;
  balances[boughtIndex] = ((boughtAfter + kept) * precision) / boughtRate;
  const stateAfter = { ...state, balances };
  return { amountInUsed: amountIn, amountOut, stateAfter, shortfall: undefined };
}

/** All balances in units of 10⁻¹⁸. */
export function scaledBalances({ balances, rates }: CurveState): bigint[] {
  return balances.map((balance, index) => (balance * (rates[index] ?? 0n)) / precision);
}

function balanceAfter(
  { amplification }: CurveState,
  {
    scaled,
    soldIndex,
    soldAfter,
    boughtIndex,
  }: { scaled: readonly bigint[]; soldIndex: number; soldAfter: bigint; boughtIndex: number },
): bigint | undefined {
  const invariant = stableSwapInvariant(scaled, amplification);
  if (invariant === undefined) return undefined;
  return stableSwapBalance(
    scaled.map((balance, index) => (index === soldIndex ? soldAfter : balance)),
    { unknown: boughtIndex, invariant, amplification },
  );
}

/**
 * The invariant `D` of a StableSwap pool: Newton's iteration of `get_D`, which ends when a step
 * moves by one unit at most. Balances are scaled to 18 decimals. Undefined where a product leaves 256 bits:
 * the pool refuses. Does not check that balances are positive.
 */
export function stableSwapInvariant(
  balances: readonly bigint[],
  amplification: bigint,
): bigint | undefined {
  const count = BigInt(balances.length);
  const sum = balances.reduce((total, balance) => total + balance, 0n);
  const slope = amplification * count;
  let invariant = sum;
  for (let round = 0; round < 255; round++) {
    let quotient = invariant;
    for (const balance of balances) {
      const product = quotient * invariant;
      if (!fits(product)) return undefined;
      quotient = product / (balance * count + 1n);
    }
    const previous = invariant;
    const numerator = (slope * sum + quotient * count) * invariant;
    const denominator = (slope - 1n) * invariant + (count + 1n) * quotient;
    if (!fits(numerator | denominator) || denominator === 0n) return undefined;
    invariant = numerator / denominator;
    if (isWithinOne(invariant, previous)) break;
  }
  return invariant;
}

/**
 * The balance of coin `unknown` that the invariant leaves, given those of all the others: Newton's
 * iteration of `get_y`. Undefined where the pool refuses: a product leaves 256 bits, or a divisor is
 * not positive. Does not check that the other balances are positive.
 */
function stableSwapBalance(
  balances: readonly bigint[],
  {
    unknown,
    invariant,
    amplification,
  }: { readonly unknown: number; readonly invariant: bigint; readonly amplification: bigint },
): bigint | undefined {
  const count = BigInt(balances.length);
  const slope = amplification * count;
  let quotient = invariant;
  let sum = 0n;
  let widest = 0n;
  for (const [index, balance] of balances.entries()) {
    if (index === unknown) continue;
    sum += balance;
    widest |= quotient * invariant;
    quotient = (quotient * invariant) / (balance * count);
  }
  widest |= quotient * invariant;
  quotient = (quotient * invariant) / (slope * count);
  const linear = sum + invariant / slope;
  let balance = invariant;
  for (let round = 0; round < 255; round++) {
    const previous = balance;
    const numerator = balance * balance + quotient;
    const denominator = 2n * balance + linear - invariant;
    widest |= numerator;
    if (denominator <= 0n || !fits(widest)) return undefined;
    balance = numerator / denominator;
    if (isWithinOne(balance, previous)) break;
  }
  return balance;
}

function isWithinOne(one: bigint, other: bigint): boolean {
  const difference = one - other;
  return difference <= 1n && difference >= -1n;
}

/** Whether each of the numbers that were joined by `|` has at most 256 bits. */
function fits(joined: bigint): boolean {
  return joined >> 256n === 0n;
}
