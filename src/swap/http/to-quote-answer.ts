import type { z } from 'zod';
import type { Quote, QuoteCall, RoutedQuote, RouteLeg } from '../quote/quote.ts';
import { mostRpcUrls, type swapResponseData, type transaction } from './answer-schemas.ts';

export type QuoteAnswer = z.input<typeof swapResponseData>;

/** Writes a quote as the interface shows it: amounts as digits, at most five RPC endpoints (Q3, Q7, Q9). */
export function toQuoteAnswer(quote: Quote): QuoteAnswer {
  const { status, tokenFrom, tokenTo, blockNumber } = quote;
  const rpcUrls = quote.rpcUrls.slice(0, mostRpcUrls);
  const common = {
    status,
    tokenFrom,
    tokenTo,
    rpcUrl: rpcUrls[0],
    rpcUrls,
    blockNumber: blockNumber.toString(),
  };
  return quote.status === 'NoRoute'
    ? { ...common, reason: quote.reason }
    : { ...common, ...toRoutedAnswer(quote) };
}

function toRoutedAnswer(quote: RoutedQuote) {
  const { swapPrice, priceImpact, tokens, tx, approval, route, optimality } = quote;
  const { upperBound, gapBps, gasCost } = optimality;
  return {
    // JSON has no infinity: a price beyond float64 is left out rather than sent as null.
    ...(Number.isFinite(swapPrice) ? { swapPrice } : {}),
    ...(Number.isFinite(priceImpact) ? { priceImpact } : {}),
    amountIn: quote.amountIn.toString(),
    expectedAmountOut: quote.expectedAmountOut.toString(),
    minAmountOut: quote.minAmountOut.toString(),
    tokens: [...tokens],
    tx: {
      ...toCallAnswer(tx),
      gas: tx.gas.toString(),
      gasPrice: Number(tx.gasPrice),
      ...(tx.l1Fee === undefined ? {} : { l1Fee: tx.l1Fee.toString() }),
    },
    ...(approval.length === 0 ? {} : { approval: approval.map(toCallAnswer) }),
    route: route.map(toLegAnswer),
    validUntil: new Date(quote.validUntil).toISOString(),
    optimality: { upperBound: upperBound.toString(), gapBps, gasCost: gasCost.toString() },
  };
}

function toCallAnswer({ from, to, data, value }: QuoteCall): z.input<typeof transaction> {
  return { from, to, data, value: value.toString() };
}

function toLegAnswer({ amountIn, amountOut, ...leg }: RouteLeg) {
  return { ...leg, amountIn: amountIn.toString(), amountOut: amountOut.toString() };
}
