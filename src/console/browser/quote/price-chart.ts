import { html, useEffect, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { LineChart } from '../charts/line-chart.ts';
import { after } from '../clock.ts';
import { formatClock, formatNumber } from '../format.ts';
import { Problem } from '../parts/outcome/problem.ts';
import { Waiting } from '../parts/outcome/waiting.ts';
import { useAnswer } from '../use-answer.ts';
import type { RoutedAnswer } from './quote-answer.ts';

type History = {
  readonly points: readonly {
    readonly at: string;
    readonly price: number;
    readonly blockNumber: string;
  }[];
};

const refreshMs = 15_000;

/** The price of the pair over time, as far as this server has seen it (K1). */
export function PriceChart({ quote, chainId }: { quote: RoutedAnswer; chainId: number }): VNode {
  const { tokenFrom, tokenTo, blockNumber } = quote;
  const { answer, error, isWaiting, again } = useAnswer(
    (signal) => readHistory(chainId, quote, signal),
    [chainId, tokenFrom.address, tokenTo.address, blockNumber],
  );
  useEffect(() => (isWaiting ? undefined : after(refreshMs, again)), [isWaiting]);
  const points = (answer?.points ?? []).map(({ at, price }) => ({ x: Date.parse(at), y: price }));
  const newest = points.at(-1);
  return html`<section class="card" aria-labelledby="price-title"><h2 id="price-title">Price over time</h2>
    <${Problem} error=${error} />
    ${answer === undefined && isWaiting && html`<${Waiting}>Reading prices …<//>`}
    ${newest && html`<p class="hint">One ${tokenFrom.symbol} in ${tokenTo.symbol}, before the impact of any amount. Newest of ${formatClock(newest.x)}.</p>`}
    ${
      points.length > 1
        ? html`<${LineChart} points=${points} nameX="Time" nameY="Price" marked=${points.length - 1} formatX=${formatClock} formatY=${(y: number) => formatNumber(y, 7)}
          summary=${`Price of one ${tokenFrom.symbol} in ${tokenTo.symbol} from ${formatClock(points[0]?.x ?? 0)} to ${formatClock(newest?.x ?? 0)}: ${formatNumber(points[0]?.y ?? 0)} at first, ${formatNumber(newest?.y ?? 0)} at last.`} />`
        : newest &&
          html`<p class="muted">Prices are kept from the first quote on: this is the only one so far. The chart grows with every new block that the server reads.</p>`
    }</section>`;
}

/** Requests the price of one whole unit at the newest block, which adds it to the history, and reads the history. */
async function readHistory(
  chainId: number,
  quote: RoutedAnswer,
  signal: AbortSignal,
): Promise<History> {
  const { tokenFrom, tokenTo } = quote;
  const query = { tokenIn: tokenFrom.address, tokenOut: tokenTo.address };
  const amount = `1${'0'.repeat(tokenFrom.decimals)}`;
  await callApi(`/v1/price/${chainId}`, { query: { ...query, amount }, signal });
  return callApi<History>(`/v1/price/${chainId}/history`, { query, signal });
}
