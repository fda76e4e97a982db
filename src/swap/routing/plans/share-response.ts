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
): number[][] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const here = new Float64Array(walks.length);
  const there = new Float64Array(walks.length);
  flow.run({ walks, shares }, here);
  const falls = movable.map((index) => {
    const nudge = Math.max(relativeNudge * at(shares, index), leastNudge * total);
    flow.run({ walks, shares: shares.with(index, at(shares, index) + nudge) }, there);
    return movable.map((other) => (at(here, other) - at(there, other)) / nudge);
  });
  const rows = falls.map((row, i) => [
    ...row.map((fall, j) => (fall + (falls[j]?.[i] ?? 0)) / 2),
    1,
  ]);
  const inverse = invert([...rows, [...movable.map(() => 1), 0]]);
  return inverse.slice(0, movable.length).map((row) => row.slice(0, movable.length));
}

const relativeNudge = 1e-5;
const leastNudge = 1e-8;

/** Gauss-Jordan elimination with row pivots. Columns that cannot be eliminated answer with zeros. */
function invert(matrix: readonly (readonly number[])[]): number[][] {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let row = column + 1; row < n; row++) {
      if (Math.abs(rows[row]?.[column] ?? 0) > Math.abs(rows[pivot]?.[column] ?? 0)) pivot = row;
    }
    const chosen = rows[pivot] ?? [];
    rows[pivot] = rows[column] ?? [];
    rows[column] = chosen;
    const head = chosen[column] ?? 0;
    for (let k = column; k < 2 * n; k++) chosen[k] = head === 0 ? 0 : (chosen[k] ?? 0) / head;
    for (const row of rows) {
      const factor = row[column] ?? 0;
      if (row === chosen || factor === 0) continue;
      for (let k = column; k < 2 * n; k++) row[k] = (row[k] ?? 0) - factor * (chosen[k] ?? 0);
    }
  }
  return rows.map((row) => row.slice(n));
}
