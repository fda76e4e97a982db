import { at } from '../graph/vector-access.ts';
import type { PathFlow, Plan } from './path-flow.ts';

/**
 * How the balanced shares of some walks answer to their margins: the matrix P for which d = P·g is
 * Newton's step from a plan with gradient g. With −C the derivative of the gradient, d maximises
 * g·d − ½·d·C·d while the sum of shares is held, so P is the upper left block of
 *
 *     ( C  1 )⁻¹
 *     ( 1  0 )
 *
 * By the same model the best plan without walk k gives ½·x_k² / P_kk less, and gets there from
 * shares x by the step −x_k·P_k / P_kk.
 *
 * C is taken by differences of the gradient: a plan has a dozen walks, and its output has kinks at
 * ticks that no closed form would smooth.
 */
export function shareResponse(
  flow: PathFlow,
  { walks, shares }: Plan,
  movable: readonly number[],
): ShareResponse {
  let total = 0;
  for (const share of shares) total += share;
  const here = new Float64Array(walks.length);
  const there = new Float64Array(walks.length);
  flow.run({ walks, shares }, here);
  const nudged = shares.slice();
  const size = movable.length;
  // C with a row and a column of ones, and the unit matrix beside it.
  const width = 2 * (size + 1);
  const cells = new Float64Array((size + 1) * width);
  for (let row = 0; row < size; row++) {
    const index = movable[row] ?? -1;
    const share = at(shares, index);
    const nudge = Math.max(relativeNudge * share, leastNudge * total);
    nudged[index] = share + nudge;
    flow.run({ walks, shares: nudged }, there);
    nudged[index] = share;
    for (let column = 0; column < size; column++) {
      const other = movable[column] ?? -1;
      const half = (at(here, other) - at(there, other)) / nudge / 2;
      cells[row * width + column] = at(cells, row * width + column) + half;
      cells[column * width + row] = at(cells, column * width + row) + half;
    }
    cells[row * width + size] = 1;
    cells[size * width + row] = 1;
  }
  for (let row = 0; row <= size; row++) cells[row * width + size + 1 + row] = 1;
  invert(cells, size + 1);
  return { size, at: (row, column) => at(cells, row * width + size + 1 + column) };
}

/** The matrix P, by the places of the walks among the movable ones. */
export type ShareResponse = {
  readonly size: number;
  at(row: number, column: number): number;
};

const relativeNudge = 1e-5;
const leastNudge = 1e-8;

/**
 * Turns n rows of a matrix with the unit matrix beside it into the unit matrix with the inverse beside it:
 * Gauss-Jordan elimination with row pivots. Columns that cannot be eliminated answer with zeros.
 */
function invert(cells: Float64Array, n: number): void {
  const width = 2 * n;
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let row = column + 1; row < n; row++) {
      const isGreater =
        Math.abs(at(cells, row * width + column)) > Math.abs(at(cells, pivot * width + column));
      if (isGreater) pivot = row;
    }
    const head = at(cells, pivot * width + column);
    for (let k = column; k < width; k++) {
      const chosen = at(cells, pivot * width + k);
      cells[pivot * width + k] = at(cells, column * width + k);
      cells[column * width + k] = head === 0 ? 0 : chosen / head;
    }
    for (let row = 0; row < n; row++) {
      const factor = at(cells, row * width + column);
      if (row === column || factor === 0) continue;
      for (let k = column; k < width; k++) {
        cells[row * width + k] =
          at(cells, row * width + k) - factor * at(cells, column * width + k);
      }
    }
  }
}
