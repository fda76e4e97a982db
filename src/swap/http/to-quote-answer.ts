import type { z } from 'zod';
import type {
  Price,
  Quote,
  QuoteCall,
  RoutedPrice,
  RoutedQuote,
  RouteLeg,
} from '../quote/quote.ts';
import {
  mostRpcUrls,
  type priceResponseData,
  type swapResponseData,
  type transaction,
} from './operations/answer-schemas.ts';

export type QuoteAnswer = z.input<typeof swapResponseData>;
export type PriceAnswer = z.input<typeof priceResponseData>;

/**
 * Writes a quote or a price for the interface: amounts as digits, at most five RPC endpoints (Q3, Q7, Q9). A price has no
 * transaction.
 */
export function toQuoteAnswer(quote: Quote | Price): QuoteAnswer {
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
    : { ...common, ...toPriceFields(quote), ...('tx' in quote ? toTransactionFields(quote) : {}) };
}

function toPriceFields(quote: RoutedPrice) {
  const { swapPrice, priceImpact, tokens, route, optimality } = quote;
  const { upperBound, gasCost, unreadBps, ...ofBound } = optimality;
  return {
    // JSON has no infinity: a price beyond float64 is left out rather than sent as null.
    ...(Number.isFinite(swapPrice) ? { swapPrice } : {}),
    ...(Number.isFinite(priceImpact) ? { priceImpact } : {}),
    amountIn: quote.amountIn.toString(),
    ...(quote.maxAmountIn === undefined ? {} : { maxAmountIn: quote.maxAmountIn.toString() }),
    expectedAmountOut: quote.expectedAmountOut.toString(),
    ...(quote.feeAmount === undefined ? {} : { feeAmount: quote.feeAmount.toString() }),
    tokens: [...tokens],
    route: route.map(toLegAnswer),
    optimality: {
      ...ofBound,
      // Without a mid price there is nothing to compare with.
      ...(Number.isFinite(unreadBps) ? { unreadBps } : {}),
      upperBound: upperBound.toString(),
      gasCost: gasCost.toString(),
    },
  };
}

function toTransactionFields(quote: RoutedQuote) {
  const { minAmountOut, tx, approval, permit, issues, validUntil } = quote;
  return {
    minAmountOut: minAmountOut.toString(),
    tx: {
      ...toCallAnswer(tx),
      gas: tx.gas.toString(),
      gasPrice: Number(tx.gasPrice),
      ...(tx.l1Fee === undefined ? {} : { l1Fee: tx.l1Fee.toString() }),
    },
    ...(approval.length === 0 ? {} : { approval: approval.map(toCallAnswer) }),
    ...(permit === undefined ? {} : { permit }),
    ...(issues === undefined ? {} : { issues }),
    validUntil: new Date(validUntil).toISOString(),
  };
}

function toCallAnswer({ from, to, data, value }: QuoteCall): z.input<typeof transaction> {
  return { from, to, data, value: value.toString() };
}

function toLegAnswer(leg: RouteLeg) {
  return { ...leg, amountIn: leg.amountIn.toString(), amountOut: leg.amountOut.toString() };
}
