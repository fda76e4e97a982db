import type { Slippage } from '../quote.ts';

/** The floor of `expectedAmountOut × (1 − maxSlippage)`, exactly as the slippage was written [Q5]. */
export function minAmountOut(
  expectedAmountOut: bigint,
  { numerator, denominator }: Slippage,
): bigint {
  return (expectedAmountOut * (denominator - numerator)) / denominator;
}
