import { html, type VNode } from '../../vendor/preact.js';
import { formatAmount, formatClock, formatNumber, formatShare } from '../format.ts';
import { CopyBox } from '../parts/text.ts';
import { DepthCurve, PriceChart } from './charts.ts';
import { ExecutionCard } from './execute-quote.ts';
import {
  type Chain,
  developmentChainId,
  hasRoute,
  type QuoteAnswer,
  type RoutedAnswer,
  type Token,
} from './quote-answer.ts';
import { RoutePicture } from './route-picture.ts';

/** Everything about a quote: the answer first, then its proof (K1). */
export function QuoteResult({ quote, chain }: { quote: QuoteAnswer; chain: Chain }): VNode {
  if (!hasRoute(quote)) {
    return html`<section class="card"><h2>No route</h2><p>${quote.reason ?? 'The server gives no reason.'}</p></section>`;
  }
  const { chainId } = chain;
  return html`<div class="stack-cards">
    <${Answer} quote=${quote} chain=${chain} />
    ${chainId === developmentChainId && quote.tx && html`<${ExecutionCard} key=${quote.tx.data} quote=${quote} />`}
    <${RoutePicture} quote=${quote} />
    <div class="columns even"><${DepthCurve} quote=${quote} chainId=${chainId} /><${PriceChart} quote=${quote} chainId=${chainId} /></div>
    ${quote.tx && html`<${TransactionCard} quote=${quote} />`}</div>`;
}

function Answer({ quote, chain }: { quote: RoutedAnswer; chain: Chain }): VNode {
  const { tokenFrom, tokenTo, status, minAmountOut, tx, approval = [] } = quote;
  const figures = [
    [
      'Price',
      quote.swapPrice &&
        `1 ${tokenFrom.symbol} = ${formatNumber(quote.swapPrice, 7)} ${tokenTo.symbol}`,
    ],
    ['Impact', quote.priceImpact !== undefined && formatShare(quote.priceImpact)],
    ['Minimum', minAmountOut && amountOf(minAmountOut, tokenTo)],
    ['Gas', tx && gasOf(tx, chain)],
    [
      'Approval',
      approval.length === 0
        ? 'none needed'
        : `${approval.length} transaction${approval.length === 1 ? '' : 's'} first`,
    ],
    ['Valid until', quote.validUntil && validityOf(quote.validUntil, quote.blockNumber)],
  ].filter(([, value]) => value);
  return html`<section class="card" aria-labelledby="answer-title"><h2 id="answer-title">You receive</h2>
    <p class="big">${amountOf(quote.expectedAmountOut, tokenTo)}</p>
    <p class="muted">for ${amountOf(quote.amountIn, tokenFrom)}</p>
    ${status === 'Partial' && html`<p class="note warn">The pools take only this part of your amount.</p>`}
    <dl class="figures receipt">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    <p class="proof">${proofOf(quote)}</p></section>`;
}

/** The certificate of the route in one sentence. */
function proofOf({ optimality, tokenTo }: RoutedAnswer): string {
  if (optimality === undefined) return 'This quote comes without a proof.';
  // Wrapping passes no pool.
  if (optimality.pools === 0) return 'Proof: wrapping is one for one, which nothing betters.';
  const bound = amountOf(optimality.upperBound, tokenTo);
  const gap = optimality.gapBps < 0.01 ? '0.01' : formatNumber(optimality.gapBps, 2);
  const { pools, poolsCutOff } = optimality;
  const cutOff = poolsCutOff > 0 ? `, ${poolsCutOff} of them in part,` : '';
  return `Proof: no routing over the ${pools} pools that were read${cutOff} gives more than ${bound} before gas, and this route is within ${gap} basis points of that.`;
}

function gasOf(
  { gas, gasPrice }: NonNullable<QuoteAnswer['tx']>,
  { nativeCurrency }: Chain,
): string | VNode | undefined {
  if (gas === undefined) return undefined;
  const units = BigInt(gas).toLocaleString();
  if (gasPrice === undefined) return `at most ${units} units`;
  const cost = formatAmount(String(BigInt(gas) * BigInt(gasPrice)), nativeCurrency.decimals, 8);
  return html`${cost} ${nativeCurrency.symbol}<div class="hint">at most, for ${units} units</div>`;
}

function validityOf(until: string, block: string | undefined): VNode {
  return html`${formatClock(Date.parse(until))}${block && html`<div class="hint">as of block ${block}</div>`}`;
}

function TransactionCard({ quote }: { quote: RoutedAnswer }): VNode {
  const { approval = [], tx } = quote;
  return html`<section class="card" aria-labelledby="transaction-title"><h2 id="transaction-title">Transaction</h2>
    ${approval.map((call, index) => html`<h3>Approval ${index + 1}, to send first</h3><${CopyBox} label=${`Approval ${index + 1}`} text=${JSON.stringify(call, null, 2)} />`)}
    ${approval.length > 0 && html`<h3>Swap</h3>`}
    <${CopyBox} label="Transaction" text=${JSON.stringify(tx, null, 2)} /></section>`;
}

function amountOf(units: string, { decimals, symbol }: Token): string {
  return `${formatAmount(units, decimals)} ${symbol}`;
}
