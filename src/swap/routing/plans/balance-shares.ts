import { at } from '../graph/vectors.ts';
import type { PathFlow, Plan } from './path-flow.ts';

/**
 * Moves shares between the walks of a plan until no move helps, by Newton's method on the output
 * with the sum held. A share that falls to zero stays in the plan. Returns the better plan and what
 * it gives; never one that gives less.
 *
 * Most plans are nearly balanced already, so the response of the shares is computed only if some move could help [Q31],
 * and again only while steps are large.
 */
export function balanceShares(flow: PathFlow, plan: Plan): Plan & { readonly output: number } {
  const { walks } = plan;
  let shares = plan.shares;
  let gradient = new Float64Array(walks.length);
  let output = flow.run(plan, gradient);
  let known: { movable: number[]; response: ShareResponse } | undefined;
  for (let round = 0; round < maxRounds; round++) {
    const movable = movableWalks(shares, gradient);
    if (movable.length < 2 || mostGain(shares, gradient) < worthwhile * output) break;
    const isFresh = known?.movable.join() !== movable.join();
    if (known === undefined || isFresh) {
      known = { movable, response: shareResponse(flow, { walks, shares }, movable) };
    }
    const better =
      stepUphill(flow, { walks, shares }, { step: newtonStep(known, gradient), output }) ??
      (isFresh
        ? stepUphill(flow, { walks, shares }, { step: exchange(shares, gradient), output })
        : undefined);
    if (better !== undefined) {
      const gain = better.output - output;
      ({ shares, gradient, output } = better);
      if (gain < worthwhile * output) break;
      if (gain > near * output) known = undefined;
    } else if (isFresh) {
      break;
    } else {
      known = undefined;
    }
  }
  return { walks, shares, output };
}

const maxRounds = 30;
/** Relative gain of a step below which the response hardly changes any more. */
const near = 1e-5;
/** Relative gain of a step below which the next gain would be lost in the rounding of the model. */
const worthwhile = 1e-10;

/** The most that all moves together can gain, since output is concave: every share at the greatest margin of all. */
function mostGain(shares: Float64Array, gradient: Float64Array): number {
  let greatest = 0;
  for (const margin of gradient) greatest = Math.max(greatest, margin);
  let gain = 0;
  for (let index = 0; index < shares.length; index++) {
    gain += at(shares, index) * (greatest - at(gradient, index));
  }
  return gain;
}

/** Walks that carry something, or should: their marginal output is above the average. */
function movableWalks(shares: Float64Array, gradient: Float64Array): number[] {
  let weight = 0;
  let weighted = 0;
  for (let index = 0; index < shares.length; index++) {
    weight += at(shares, index);
    weighted += at(shares, index) * at(gradient, index);
  }
  const average = weighted / weight;
  const movable: number[] = [];
  for (let index = 0; index < shares.length; index++) {
    if (at(shares, index) > 0 || at(gradient, index) > average) movable.push(index);
  }
  return movable;
}

/** By how much each share should change. */
type Step = Float64Array;

function newtonStep(
  { movable, response }: { movable: readonly number[]; response: ShareResponse },
  gradient: Float64Array,
): Step {
  const step = new Float64Array(gradient.length);
  for (let row = 0; row < response.size; row++) {
    let change = 0;
    for (let column = 0; column < response.size; column++) {
      change += response.at(row, column) * at(gradient, movable[column] ?? -1);
    }
    step[movable[row] ?? -1] = change;
  }
  return step;
}

/** Moves the share of the walk with the least margin to the one with the most: helps where pools are exhausted. */
function exchange(shares: Float64Array, gradient: Float64Array): Step {
  const carrying = [...shares.keys()].filter((index) => at(shares, index) > 0);
  const worst = carrying.reduce((a, b) => (at(gradient, b) < at(gradient, a) ? b : a));
  const best = gradient.indexOf(Math.max(...gradient));
  const step = new Float64Array(shares.length);
  step[best] = at(shares, worst);
  step[worst] = at(step, worst) - at(shares, worst);
  return step;
}

/** Halves the step until it gains. Shares that would become negative stop at zero. */
function stepUphill(
  flow: PathFlow,
  { walks, shares }: Plan,
  { step, output }: { step: Step; output: number },
) {
  let total = 0;
  for (const share of shares) total += share;
  const gradient = new Float64Array(walks.length);
  const tried = new Float64Array(walks.length);
  for (let length = 1; length > shortestStep; length /= 2) {
    let sum = 0;
    for (let index = 0; index < tried.length; index++) {
      tried[index] = Math.max(0, at(shares, index) + length * at(step, index));
      sum += at(tried, index);
    }
    for (let index = 0; index < tried.length; index++) {
      tried[index] = at(tried, index) / (sum / total);
    }
    const reached = flow.run({ walks, shares: tried }, gradient);
    if (reached > output) return { shares: tried, gradient, output: reached };
  }
  return undefined;
}

const shortestStep = 1e-3;

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
