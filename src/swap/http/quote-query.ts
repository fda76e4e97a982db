import type { QuoteRequest, Slippage } from '../quote/quote.ts';

/** The path and query that ask a server of this interface for a quote: the way back from a request. */
export function quoteQuery(request: QuoteRequest): string {
  const { chainId, tokenIn, tokenOut, amountIn, amountOut, maxSlippage, sender } = request;
  const { recipient, gasPrice, dexes, excludeDexes, router, fee, feeRecipient, permit } = request;
  const query = new URLSearchParams({
    tokenIn,
    tokenOut,
    ...(amountIn === undefined ? {} : { amount: amountIn.toString() }),
    ...(amountOut === undefined ? {} : { amountOut: amountOut.toString() }),
    maxSlippage: decimalText(maxSlippage),
    sender,
    ...(recipient && { recipient }),
    ...(gasPrice === undefined ? {} : { gasPrice: gasPrice.toString() }),
    ...(dexes && { dexes: dexes.join(',') }),
    ...(excludeDexes && { excludeDexes: excludeDexes.join(',') }),
    ...(router && { router }),
    ...(fee === undefined ? {} : { fee: `${fee}e-9` }),
    ...(feeRecipient && { feeRecipient }),
    ...(permit && { permit }),
  });
  return `v1/swap/${chainId}?${query}`;
}

/** Exact, since the denominator of a slippage that was read from decimal text is a power of ten. */
function decimalText({ numerator, denominator }: Slippage): string {
  const places = denominator.toString().length - 1;
  return `${numerator}${places === 0 ? '' : `e-${places}`}`;
}
