import type { QuoteRequest, Slippage } from '../quote/quote.ts';

/** The path and query that ask a server of this interface for a quote: the way back from a request. */
export function quoteQuery(request: QuoteRequest): string {
  const { chainId, tokenIn, tokenOut, amountIn, maxSlippage, sender, gasPrice } = request;
  const query = new URLSearchParams({
    tokenIn,
    tokenOut,
    amount: amountIn.toString(),
    maxSlippage: decimalText(maxSlippage),
    sender,
    ...(gasPrice === undefined ? {} : { gasPrice: gasPrice.toString() }),
  });
  return `v1/swap/${chainId}?${query}`;
}

/** Exact, since the denominator of a slippage that was read from decimal text is a power of ten. */
function decimalText({ numerator, denominator }: Slippage): string {
  const places = denominator.toString().length - 1;
  return `${numerator}${places === 0 ? '' : `e-${places}`}`;
}
