import { html, type VNode } from '../../vendor/preact.js';
import { useWidth } from '../parts/use-width.ts';

export type ChartPoint = { readonly x: number; readonly y: number };

export type LineChartProps = {
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
export function LineChart(props: LineChartProps): VNode {
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
