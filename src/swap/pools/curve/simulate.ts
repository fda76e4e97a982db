import type { ExactInput, SwapResult } from '../pool-state.ts';
import { takeNothing } from '../take-nothing.ts';
import type { CurveState } from './curve-pool.ts';
import { stableSwapBalance, stableSwapInvariant } from './stable-swap.ts';

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
