import { html, type VNode } from '../../vendor/preact.js';
import { formatAmount } from '../amount.ts';
import { callApi } from '../api.ts';
import { LineChart } from '../charts/line-chart.ts';
import { formatNumber } from '../format.ts';
import { Problem } from '../parts/outcome/problem.ts';
import { Waiting } from '../parts/outcome/waiting.ts';
import { useAnswer } from '../use-answer.ts';
import { hasRoute, type QuoteAnswer, type RoutedAnswer } from './quote-answer.ts';

/** Parts of the amount that was asked for, and multiples of it. */
const factors = [0.01, 0.1, 0.3, 1, 3, 10, 30];
/** In hundredths, since amounts are integers. */
const hundredths = factors.map((factor) => BigInt(Math.round(factor * 100)));

/** How the price falls with the amount: the same pair priced for smaller and larger amounts (K1). */
export function DepthCurve({ quote, chainId }: { quote: RoutedAnswer; chainId: number }): VNode {
  const { tokenFrom, tokenTo, amountIn } = quote;
  const amounts = [...new Set(hundredths.map((part) => (BigInt(amountIn) * part) / 100n))].filter(
    (each) => each > 0n,
  );
  const pair = { tokenIn: tokenFrom.address, tokenOut: tokenTo.address };
  const { answer, error, isWaiting } = useAnswer(
    (signal) => priceEach(chainId, pair, amounts, signal),
    [chainId, pair.tokenIn, pair.tokenOut, amountIn],
  );
  const format = (units: number) => `${formatNumber(units, 4)} ${tokenFrom.symbol}`;
  const wholeUnits = (units: bigint) =>
    Number(formatAmount(String(units), tokenFrom.decimals).replaceAll(',', ''));
  const points = (answer ?? []).map(({ amount, price }) => ({ x: wholeUnits(amount), y: price }));
  return html`<section class="card" aria-labelledby="depth-title"><h2 id="depth-title">Depth</h2>
    <p class="hint">The price of one ${tokenFrom.symbol} in ${tokenTo.symbol}, by how much is exchanged at once.</p>
    <${Problem} error=${error} />
    ${isWaiting && html`<${Waiting}>Pricing ${amounts.length} amounts …<//>`}
    ${
      points.length > 1 &&
      html`<${LineChart} points=${points} isLogarithmic marked=${points.findIndex(({ x }) => x === wholeUnits(BigInt(amountIn)))}
        nameX="Amount" nameY="Price" formatX=${format} formatY=${(y: number) => formatNumber(y, 6)}
        summary=${`Price of one ${tokenFrom.symbol} in ${tokenTo.symbol}: from ${formatNumber(points[0]?.y ?? 0)} at ${format(points[0]?.x ?? 0)} to ${formatNumber(points.at(-1)?.y ?? 0)} at ${format(points.at(-1)?.x ?? 0)}.`} />`
    }</section>`;
}

type Priced = { readonly amount: bigint; readonly price: number };

async function priceEach(
  chainId: number,
  pair: { tokenIn: string; tokenOut: string },
  amounts: readonly bigint[],
  signal: AbortSignal,
): Promise<readonly Priced[]> {
  const priced: Priced[] = [];
  // One after another, so that a person who only wanted the quote puts little load on the server.
  for (const amount of amounts) {
    const query = { ...pair, amount: String(amount) };
    const answer = await callApi<QuoteAnswer>(`/v1/price/${chainId}`, { query, signal });
    // The price of a partial answer is for a smaller amount than this one.
    if (hasRoute(answer) && answer.status === 'Successful' && answer.swapPrice !== undefined) {
      priced.push({ amount, price: answer.swapPrice });
    }
  }
  return priced;
}
