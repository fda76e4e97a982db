import { html, useEffect, useRef, useState, type VNode } from '../../vendor/preact.js';
import { callApi } from '../api.ts';
import { after } from '../clock.ts';
import { formatAmount, formatClock, formatNumber } from '../format.ts';
import { Problem, Waiting } from '../parts/outcome.ts';
import { useAnswer } from '../use-answer.ts';
import { hasRoute, type QuoteAnswer, type RoutedAnswer } from './quote-answer.ts';

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

type ChartPoint = { readonly x: number; readonly y: number };

type LineChartProps = {
  /** At least two, in the order of x. */
  readonly points: readonly ChartPoint[];
  /** What the picture shows, as one sentence for people who do not see it. */
  readonly summary: string;
  readonly nameX: string;
  readonly nameY: string;
  readonly formatX: (x: number) => string;
  readonly formatY: (y: number) => string;
  /** Amounts are compared by factors, so their axis is logarithmic; times are compared by differences. */
  readonly isLogarithmic?: boolean;
  /** The point that the reader asked about. */
  readonly marked?: number;
};

const height = 190;
const room = { top: 12, right: 14, bottom: 26, left: 66 };

/** A line with its area, two ticks an axis, and every figure in a table below it (K15). */
function LineChart(props: LineChartProps): VNode {
  const { points, summary, nameX, nameY, formatX, formatY, isLogarithmic = false, marked } = props;
  const { element, width } = useWidth();
  const place = isLogarithmic ? Math.log : (x: number) => x;
  const toX = scale(
    points.map(({ x }) => place(x)),
    [room.left, width - room.right],
  );
  const toY = scale(
    points.map(({ y }) => y),
    [height - room.bottom, room.top],
  );
  const placed = points.map(({ x, y }) => ({ x: toX(place(x)), y: toY(y) }));
  const line = placed.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' L');
  const [first, last] = [points[0], points.at(-1)];
  const ys = points.map(({ y }) => y);
  const dot = placed[marked ?? -1];
  const base = height - room.bottom;
  return html`<div ref=${element}>
    <svg class="chart" role="img" width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`} aria-label=${summary}>
      <line class="axis" x1=${room.left} y1=${base} x2=${width - room.right} y2=${base} />
      ${[...new Set([Math.min(...ys), Math.max(...ys)])].map((y) => html`<text x=${room.left - 8} y=${toY(y) + 4} text-anchor="end">${formatY(y)}</text>`)}
      ${first && html`<text x=${room.left} y=${height - 8}>${formatX(first.x)}</text>`}
      ${last && html`<text x=${width - room.right} y=${height - 8} text-anchor="end">${formatX(last.x)}</text>`}
      <path class="area" d=${`M${placed[0]?.x},${base} L${line} L${placed.at(-1)?.x},${base} Z`} />
      <path class="line" d=${`M${line}`} />
      ${dot && html`<circle class="dot" cx=${dot.x} cy=${dot.y} r="5" />`}
    </svg></div>
    <details><summary>Figures</summary><div class="scroll" tabindex="0" role="group" aria-label=${summary}><table>
      <thead><tr><th scope="col">${nameX}</th><th scope="col" class="number">${nameY}</th></tr></thead>
      <tbody>${points.map(({ x, y }) => html`<tr><th scope="row">${formatX(x)}</th><td class="number">${formatY(y)}</td></tr>`)}</tbody>
    </table></div></details>`;
}

/** Values of a range onto pixels; one value alone stands in the middle. */
function scale(values: readonly number[], [from, to]: readonly [number, number]) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (least === most) return () => (from + to) / 2;
  return (value: number) => from + ((value - least) / (most - least)) * (to - from);
}

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

/** The width of an element, so that a picture is drawn at that size and its text stays readable. */
export function useWidth(first = 600) {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(first);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(200, Math.floor(entry.contentRect.width)));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}
