import { withoutTrailing } from '../../kernel/text/text.ts';
import type { QuoteAnswer } from '../../swap/wire.ts';
import type { Execution } from '../execute-swap.ts';
import { plainText } from '../plain-text.ts';

type QuoteView = {
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
  // Wrapping passes no pool.
  if (pools === 0) return 'one for one, which nothing betters';
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

type Leg = NonNullable<QuoteAnswer['route']>[number];

/** The part of a quote that the picture shows. */
export type Route = Pick<QuoteAnswer, 'tokenFrom' | 'tokenTo' | 'tokens' | 'route'>;

/**
 * Draws the pools between input and output, one row of boxes per path, the largest share first:
 *
 *                  ┌ uniswap-v3 ─┐
 *     ETH ─── 100% ─┤ 0x88e6…5640 ├─── USDC
 *                  └─────────────┘
 *
 * If the picture is wider than `width`, or `width` is 0, the paths are listed instead. A route without
 * legs only wraps or unwraps the native token.
 */
export function renderRoute(quote: Route, width: number): string[] {
  const paths = groupPaths(quote.route ?? []);
  if (paths.length === 0) return [`${from(quote)} ── 1:1, wrapped token ── ${to(quote)}`];
  const picture = drawPaths(quote, paths);
  const widest = Math.max(...picture.map((line) => line.length));
  return widest <= width ? picture : listPaths(quote, paths);
}

const from = ({ tokenFrom }: Route) => plainText(tokenFrom?.symbol ?? 'input');
const to = ({ tokenTo }: Route) => plainText(tokenTo?.symbol ?? 'output');

type Path = readonly [Leg, ...Leg[]];

/** Legs by the number of their path, the path with the largest share first. */
function groupPaths(legs: readonly Leg[]): Path[] {
  const groups = Map.groupBy(legs, ({ path }) => path);
  const paths = [...groups.values()].flatMap(([first, ...rest]): Path[] =>
    first === undefined ? [] : [[first, ...rest]],
  );
  return paths.sort(([a], [b]) => b.share - a.share);
}

function drawPaths(quote: Route, paths: readonly Path[]): string[] {
  const shares = paths.map(([{ share }]) => wholePercent(share));
  const shareWidth = Math.max(...shares.map((share) => share.length));
  const bodies = paths.map((path) => drawPools(quote, path));
  const bodyWidth = Math.max(...bodies.map(({ middle }) => middle.length));
  const start = `${from(quote)} ─`;
  const margin = ' '.repeat(start.length);
  const isSplit = paths.length > 1;
  return bodies.flatMap(({ top, middle, bottom }, index) => {
    const isFirst = index === 0;
    const isLast = index === paths.length - 1;
    const fork = isSplit ? (isFirst ? '┬' : isLast ? '└' : '├') : '─';
    const join = isSplit ? (isFirst ? '┬' : isLast ? '┘' : '┤') : '─';
    const above = isFirst ? ' ' : '│';
    const below = isLast ? ' ' : '│';
    const gap = ' '.repeat(shareWidth + 4);
    const share = `─ ${(shares[index] ?? '').padStart(shareWidth)} ─`;
    return [
      `${margin}${above}${gap}${top.padEnd(bodyWidth)} ${above}`,
      `${isFirst ? start : margin}${fork}${share}${middle.padEnd(bodyWidth, '─')}─${join}${isFirst ? `─ ${to(quote)}` : ''}`,
      `${margin}${below}${gap}${bottom.padEnd(bodyWidth)} ${below}`,
    ].map((line) => line.trimEnd());
  });
}

/** The boxes of one path with the tokens between them, three lines high. */
function drawPools(quote: Route, path: Path) {
  const parts = path.map((leg, index) => {
    const pool = shorten(leg.pool);
    const exchange = plainText(leg.exchange);
    const inner = Math.max(pool.length, exchange.length) + 2;
    const token = index < path.length - 1 ? `─ ${symbolOf(quote, leg.tokenOut)} ─` : '';
    const gap = ' '.repeat(token.length);
    return {
      top: `┌${` ${exchange} `.padEnd(inner, '─')}┐${gap}`,
      middle: `┤${` ${pool} `.padEnd(inner)}├${token}`,
      bottom: `└${'─'.repeat(inner)}┘${gap}`,
    };
  });
  const line = (part: 'top' | 'middle' | 'bottom') => parts.map((box) => box[part]).join('');
  return { top: line('top'), middle: line('middle'), bottom: line('bottom') };
}

function listPaths(quote: Route, paths: readonly Path[]): string[] {
  return paths.flatMap((path) => [
    `${wholePercent(path[0].share)} of ${from(quote)}`,
    ...path.map((leg, index) => {
      const token = index < path.length - 1 ? symbolOf(quote, leg.tokenOut) : to(quote);
      return `  ${plainText(leg.exchange)} ${shorten(leg.pool)} → ${token}`;
    }),
  ]);
}

function symbolOf({ tokens = [] }: Route, address: string): string {
  const token = tokens.find((candidate) => candidate.address === address);
  return token === undefined ? shorten(address) : plainText(token.symbol);
}

function shorten(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** Whole percents, but never 0% or 100% for what is more than nothing or less than all. */
function wholePercent(share: number): string {
  const value = share * 100;
  if (value < 0.01) return 'under 0.01%';
  if (value > 99.99 && value < 100) return 'over 99.99%';
  const isExtreme = value < 1 || (value > 99 && value < 100);
  return `${isExtreme ? value.toPrecision(value < 1 ? 1 : 4) : Math.round(value)}%`;
}

const significantDigits = 8;

/**
 * Whole tokens for people: thousands grouped, cut (never rounded up) after eight digits that matter.
 * The exact amount is in the JSON.
 */
export function renderAmount(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  const leadingZeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  const places =
    whole === '0'
      ? leadingZeros + significantDigits
      : Math.max(0, significantDigits - whole.length);
  const shown = withoutTrailing(fraction.slice(0, places), '0');
  const grouped = BigInt(whole).toLocaleString('en-US');
  return shown === '' ? grouped : `${grouped}.${shown}`;
}
