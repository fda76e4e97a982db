import type { QuoteAnswer } from '../../swap/wire.ts';
import { plainText } from '../plain-text.ts';
import type { Execution } from '../transactions/execute-swap.ts';
import { renderAmount } from './amount.ts';
import { renderRoute } from './route.ts';

export type QuoteView = {
  readonly quote: QuoteAnswer;
  readonly execution?: Execution | undefined;
  readonly nativeSymbol: string;
  /** How wide a picture may be; 0 for none. */
  readonly width: number;
};

/** A quote for people: what it gives, its route, and what to know before signing. */
export function renderQuote({ quote, execution, nativeSymbol, width }: QuoteView): string {
  const { status, tokenFrom, tokenTo, amountIn, expectedAmountOut, minAmountOut, tx } = quote;
  if (status === 'NoRoute' || tokenFrom === undefined || tokenTo === undefined) {
    return `No route: ${plainText(quote.reason ?? 'the server gives no reason.')}\n`;
  }
  const given = amountOf(amountIn, tokenFrom);
  const facts = [
    ['Price', price(quote, tokenFrom.symbol, tokenTo.symbol)],
    ['Impact', quote.priceImpact === undefined ? undefined : percent(quote.priceImpact)],
    ['Minimum', minAmountOut === undefined ? undefined : amountOf(minAmountOut, tokenTo)],
    ['Gas', tx === undefined ? undefined : gasOf(tx, nativeSymbol)],
    ['Best', certificate(quote)],
    ['Approval', approvals(quote.approval?.length ?? 0)],
    ['Permit', permitOf(quote, execution !== undefined)],
    ['Block', quote.blockNumber],
    ['Valid', quote.validUntil === undefined ? undefined : `until ${quote.validUntil}`],
    ...(execution === undefined
      ? []
      : [
          ['Received', amountOf(execution.received.toString(), tokenTo)],
          ['Difference', difference(execution.received, BigInt(expectedAmountOut ?? '0'))],
          ['Used', `${execution.gasUsed.toLocaleString('en')} gas`],
          ['Sent', execution.transactionHash],
        ]),
  ];
  return [
    '',
    `${given} → ${amountOf(expectedAmountOut, tokenTo)}${status === 'Partial' ? '   (all that the pools can take)' : ''}`,
    '',
    ...renderRoute(quote, width),
    '',
    ...facts.flatMap(([name = '', value]) =>
      value === undefined ? [] : [`${name.padEnd(10)}  ${value}`],
    ),
    '',
  ]
    .map((line) => (line === '' ? '\n' : `  ${line}\n`))
    .join('');
}

type Token = NonNullable<QuoteAnswer['tokenFrom']>;

function amountOf(units: string | undefined, { symbol, decimals }: Token): string {
  return `${renderAmount(BigInt(units ?? '0'), decimals)} ${plainText(symbol)}`;
}

function price({ swapPrice }: QuoteAnswer, from: string, to: string): string | undefined {
  if (swapPrice === undefined) return undefined;
  const shown = swapPrice.toLocaleString('en', { maximumSignificantDigits: 8 });
  return `1 ${plainText(from)} = ${shown} ${plainText(to)}`;
}

function percent(fraction: number): string {
  return `${(fraction * 100).toLocaleString('en', { maximumSignificantDigits: 3 })}%`;
}

function gasOf({ gas, gasPrice }: NonNullable<QuoteAnswer['tx']>, symbol: string) {
  if (gas === undefined) return undefined;
  const limit = BigInt(gas);
  if (gasPrice === undefined) return `at most ${limit.toLocaleString('en')}`;
  const cost = renderAmount(limit * BigInt(gasPrice), 18);
  return `at most ${limit.toLocaleString('en')}, which is ${cost} ${plainText(symbol)}`;
}

function certificate({ optimality }: QuoteAnswer): string | undefined {
  if (optimality === undefined) return undefined;
  const { gapBps, pools, poolsCutOff } = optimality;
  const gap = gapBps.toLocaleString('en', { maximumSignificantDigits: 2 });
  const cutOff = poolsCutOff ? `, ${poolsCutOff} of them in part` : '';
  return `at most ${gap} bps below the best over the ${pools} pools that were read${cutOff}`;
}

function permitOf({ permit }: QuoteAnswer, isSigned: boolean): string | undefined {
  if (permit === undefined) return undefined;
  return `${permit.kind}, ${isSigned ? 'signed' : 'to be signed: its typed data is in --json'}`;
}

function approvals(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? 'one transaction before the swap' : `${count} transactions before the swap`;
}

function difference(received: bigint, expected: bigint): string {
  if (received === expected) return 'none: received as quoted, to the last unit';
  const units = received - expected;
  return `${units > 0n ? '+' : ''}${units.toLocaleString('en')} of the smallest unit`;
}
