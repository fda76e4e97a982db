import type { QuoteRequest, Slippage } from '../../quote/quote.ts';

/**
 * The path and query that ask a server of this interface for a quote: the inverse of reading one.
 */
export function quoteQuery(request: QuoteRequest): string {
  const { chainId, tokenIn, tokenOut, amountIn, amountOut, maxSlippage, sender } = request;
  const { recipient, gasPrice, dexes, excludeDexes, router, fee, feeRecipient, permit } = request;
  const query = new URLSearchParams({
    tokenIn,
    tokenOut,
    ...(amountIn === undefined ? {} : { amount: amountIn.toString() }),
    ...(amountOut === undefined ? {} : { amountOut: amountOut.toString() }),
    maxSlippage: slippageText(maxSlippage),
    sender,
    ...(recipient && { recipient }),
    ...(gasPrice === undefined ? {} : { gasPrice: gasPrice.toString() }),
    ...(dexes && { dexes: dexes.join(',') }),
    ...(excludeDexes && { excludeDexes: excludeDexes.join(',') }),
    ...(router && { router }),
    ...(fee === undefined ? {} : { fee: decimalText(fee, 9) }),
    ...(feeRecipient && { feeRecipient }),
    ...(permit && { permit }),
  });
  return `v1/swap/${chainId}?${query}`;
}

/** Exact, since the denominator of a slippage that was read from decimal text is a power of ten. */
function slippageText({ numerator, denominator }: Slippage): string {
  return decimalText(numerator, denominator.toString().length - 1);
}

/** In plain digits, which every server of the interface reads. */
function decimalText(value: bigint, places: number): string {
  if (places === 0) return value.toString();
  if (value % 10n === 0n) return decimalText(value / 10n, places - 1);
  const digits = value.toString().padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
