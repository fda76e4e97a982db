import { html, type VNode } from '../../vendor/preact.js';
import { formatAmount, formatShare } from '../format.ts';
import { useWidth } from './charts.ts';
import { type FlowLane, layOutFlow } from './flow-layout.ts';
import type { RoutedAnswer, RouteLeg } from './quote-answer.ts';

const barWidth = 10;
const margin = 4;

/** The route as a picture, bands as thick as their share of the input, and the same in words (K1). */
export function RoutePicture({ quote }: { quote: RoutedAnswer }): VNode {
  const { element, width } = useWidth();
  const route = quote.route ?? [];
  const symbolOf = symbols(quote);
  const [left, right] = [barWidth + margin, width - barWidth - margin];
  const { height, bar, lanes } = layOutFlow(route, { left, right });
  const [from, to] = [quote.tokenFrom.symbol, quote.tokenTo.symbol];
  const words = inWords(route, symbolOf);
  return html`<section class="card" aria-labelledby="route-title"><h2 id="route-title">Route</h2>
    <div class="bar"><strong>${from}</strong><strong>${to}</strong></div>
    <div ref=${element}>
    <svg class="chart" role="img" width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}
      aria-label=${`Route from ${from} to ${to} in ${lanes.length === 1 ? 'one path' : `${lanes.length} paths`}, described below`}>
      ${lanes.map((lane) => html`<${Lane} lane=${lane} left=${left} right=${right} symbolOf=${symbolOf} />`)}
      <rect class="node" x=${margin} y=${bar.top} width=${barWidth} height=${bar.height} rx="3" />
      <rect class="node" x=${right} y=${bar.top} width=${barWidth} height=${bar.height} rx="3" />
    </svg></div>
    <h3>In words</h3>
    <ol class="words">${words.map(({ share, path }) => html`<li><b>${share}<span class="unseen">:</span></b> <span>${path}</span></li>`)}</ol>
    <details><summary>Pools and amounts</summary><div class="scroll" tabindex="0" role="group" aria-label="Pools and amounts"><table>
      <thead><tr><th scope="col">Pool</th><th scope="col">Exchange</th><th scope="col" class="number">In</th><th scope="col" class="number">Out</th></tr></thead>
      <tbody>${route.map((leg) => html`<tr><th scope="row"><code>${leg.pool}</code></th><td>${leg.exchange}</td><td class="number">${amount(leg.amountIn, leg.tokenIn, quote)}</td><td class="number">${amount(leg.amountOut, leg.tokenOut, quote)}</td></tr>`)}</tbody>
    </table></div></details></section>`;
}

function Lane(props: {
  lane: FlowLane;
  left: number;
  right: number;
  symbolOf: (token: string) => string;
}): VNode {
  const { lane, left, right, symbolOf } = props;
  const { thickness, startY, laneY, endY, hops, stops, share } = lane;
  const half = thickness / 2;
  // The label is on the band if that is thick enough, else above it.
  const labelY = thickness >= 18 ? laneY + 4 : laneY - half - 5;
  const bend = Math.min(48, (right - left) / 6);
  const edge = (sign: number) => {
    const [start, middle, end] = [startY, laneY, endY].map((y) => y + sign * half);
    return { start, middle, end };
  };
  const [upper, lower] = [edge(-1), edge(1)];
  const shape = `M${left},${upper.start} C${left + bend / 2},${upper.start} ${left + bend / 2},${upper.middle} ${left + bend},${upper.middle}
    L${right - bend},${upper.middle} C${right - bend / 2},${upper.middle} ${right - bend / 2},${upper.end} ${right},${upper.end}
    L${right},${lower.end} C${right - bend / 2},${lower.end} ${right - bend / 2},${lower.middle} ${right - bend},${lower.middle}
    L${left + bend},${lower.middle} C${left + bend / 2},${lower.middle} ${left + bend / 2},${lower.start} ${left},${lower.start} Z`;
  return html`<g><path class="flow" d=${shape}><title>${formatShare(share)}</title></path>
    ${hops.map(({ x, leg }, index) => html`<text class="label" x=${x} y=${labelY} text-anchor="middle">${labelOf(leg, { index, hops: hops.length, room: (right - left) / hops.length })}</text>`)}
    ${stops.map(({ x, token }) => html`<circle class="dot" cx=${x} cy=${laneY} r="5" /><text x=${x} y=${laneY - Math.max(half, 5) - 5} text-anchor="middle">${symbolOf(token)}</text>`)}</g>`;
}

/** Share and exchange, as far as there is room for them. */
function labelOf(
  { share, exchange }: RouteLeg,
  { index, hops, room }: { index: number; hops: number; room: number },
): string {
  // Of several hops, each needs room for its label and half the name of the token beside it.
  if (room < 110 || (hops > 1 && room < 175)) return index === 0 ? formatShare(share, 2) : '';
  return index === 0 ? `${formatShare(share, 2)} ${exchange}` : exchange;
}

/** Pools trade the wrapped native token; the picture calls it by the name that was asked for. */
function symbols({ tokens = [], route = [], tokenFrom, tokenTo }: RoutedAnswer) {
  const known = new Map(tokens.map(({ address, symbol }) => [address, symbol]));
  const [first, last] = [route[0]?.tokenIn, route.at(-1)?.tokenOut];
  return (token: string): string =>
    known.get(token) ??
    (token === first
      ? tokenFrom.symbol
      : token === last
        ? tokenTo.symbol
        : `${token.slice(0, 8)}…`);
}

function inWords(
  route: readonly RouteLeg[],
  symbolOf: (token: string) => string,
): { readonly share: string; readonly path: string }[] {
  const paths = [...Map.groupBy(route, ({ path }) => path).values()];
  return paths
    .sort(([a], [b]) => (b?.share ?? 0) - (a?.share ?? 0))
    .map((legs) => {
      const hops = legs.map((leg) => ` → ${symbolOf(leg.tokenOut)} through ${leg.exchange}`);
      const [first] = legs;
      return {
        share: formatShare(first?.share ?? 0, 2),
        path: `${symbolOf(first?.tokenIn ?? '')}${hops.join('')}`,
      };
    });
}

function amount(
  units: string,
  token: string,
  { tokens = [], tokenFrom, tokenTo, route = [] }: RoutedAnswer,
): string {
  const ends =
    token === route[0]?.tokenIn
      ? tokenFrom
      : token === route.at(-1)?.tokenOut
        ? tokenTo
        : undefined;
  const known = tokens.find(({ address }) => address === token) ?? ends;
  return known === undefined ? units : `${formatAmount(units, known.decimals, 6)} ${known.symbol}`;
}
