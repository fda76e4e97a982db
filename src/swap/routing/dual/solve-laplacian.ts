import { at, intAt, reuseIntegers } from '../graph/vectors.ts';

const neighboursOf = reuseIntegers();
const goneOf = reuseIntegers();

/**
 * Solves Λ·z = r for the Laplacian Λ of a network of conductances whose last node, the ground, is
 * held at z = 0. `conductance` is a symmetric (n + 1)² matrix, row by row; both it and `current`
 * are overwritten, and z is left in `current`.
 *
 * Gaussian elimination of a node is the star-mesh transform of electric networks: it adds a
 * conductance of c_a·c_b / Σc between every two of its neighbours a and b. Nothing is ever
 * subtracted, so no digits are lost however far apart the conductances lie. A node with no way to
 * the ground gets z = 0.
 *
 * Nodes with the fewest neighbours go first, which keeps a network around a few hubs sparse.
 */
export function solveLaplacian(conductance: Float64Array, current: Float64Array, n: number): void {
  const width = n + 1;
  const neighbours = countNeighbours(conductance, n);
  const isGone = goneOf(width);
  const stars: { node: number; total: number; points: readonly number[] }[] = [];

  for (let step = 0; step < n; step++) {
    let node = -1;
    for (let other = 0; other < n; other++) {
      const isFewer = node < 0 || intAt(neighbours, other) < intAt(neighbours, node);
      if (isGone[other] === 0 && isFewer) node = other;
    }
    isGone[node] = 1;
    const points: number[] = [];
    let total = 0;
    for (let other = 0; other <= n; other++) {
      const between = at(conductance, node * width + other);
      if (between > 0 && isGone[other] === 0) {
        points.push(other);
        total += between;
      }
    }
    stars.push({ node, total, points });
    for (const a of points) {
      const share = at(conductance, node * width + a) / total;
      current[a] = at(current, a) + share * at(current, node);
      neighbours[a] = intAt(neighbours, a) - 1;
      for (const b of points) {
        if (a === b) continue;
        const index = a * width + b;
        const between = at(conductance, index);
        if (between === 0) neighbours[a] = intAt(neighbours, a) + 1;
        conductance[index] = between + share * at(conductance, node * width + b);
      }
    }
  }
  current[n] = 0;
  for (const { node, total, points } of stars.reverse()) {
    let sum = at(current, node);
    for (const a of points) sum += at(conductance, node * width + a) * at(current, a);
    current[node] = total > 0 ? sum / total : 0;
  }
}

function countNeighbours(conductance: Float64Array, n: number): Int32Array {
  const neighbours = neighboursOf(n + 1);
  for (let node = 0; node < n; node++) {
    let count = 0;
    for (let other = 0; other <= n; other++) {
      if (at(conductance, node * (n + 1) + other) > 0) count++;
    }
    neighbours[node] = count;
  }
  return neighbours;
}
