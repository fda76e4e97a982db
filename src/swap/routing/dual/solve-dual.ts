import type { Budget } from '../budget.ts';
import type { RoutingProblem } from '../graph/routing-problem.ts';
import { at, intAt, reuseFloats, reuseIntegers } from '../graph/vectors.ts';
import { type DualPoint, dualPointsOf, evaluateDualPoint } from './dual-point.ts';
import { solveLaplacian } from './solve-laplacian.ts';

/**
 * Finds prices at which g(ν) is least, by Newton's method from the given ones.
 *
 * In relative price changes z = δν/ν the Hessian of g is the Laplacian of the network whose nodes
 * are the tokens and whose conductances are the stiffnesses of the edges, the sink grounded: prices
 * are potentials, excess value is current. g is only once differentiable where an edge begins to
 * trade or passes a tick, so each step is followed by a search along its line, where the slope of g
 * rises steadily (g is convex) and its zero can be enclosed.
 *
 * The point belongs to the graph, and is valid until the next search over the graph begins.
 *
 * Ends after two steps so small that a third would change nothing, or when the budget is spent: any
 * prices give a true bound, better ones a tighter bound.
 */
export function solveDual(
  problem: RoutingProblem,
  { prices, budget }: { prices: Float64Array; budget: Budget },
): DualPoint {
  const newton = createNewtonStep(problem);
  let [point, next] = dualPointsOf(problem.graph);
  point.prices.set(prices);
  evaluateDualPoint(problem, point);
  for (let smallSteps = 0; smallSteps < 2 && budget.spend(); ) {
    const { change, slope, steepest } = newton(point);
    const isSmall = -slope < quadratic * point.value;
    const longest = Math.min(1, priceFallLimit / steepest);
    const line = { point, change, next };
    if (isSmall) moveAlong(problem, line, longest);
    else searchLine(problem, line, { slope, longest });
    if (!(next.value <= point.value * (isSmall ? 1 + noise : 1))) break;
    if (isSmall) smallSteps++;
    [point, next] = [next, point];
  }
  return point;
}

/** A step that gains less than this share of g needs no search; after it, errors are squared. */
const quadratic = 1e-9;
/** Rounding of g itself, by which a perfect small step may seem to climb. */
const noise = 1e-12;
/** A step may take no price below a twentieth of what it was, since none may become negative. */
const priceFallLimit = 0.95;

type Step = {
  /** δν by token. */
  readonly change: Float64Array;
  /** dg along the change: negative. */
  readonly slope: number;
  /** The greatest relative fall of a price. */
  readonly steepest: number;
};

const nodesOf = reuseIntegers();
const conductancesOf = reuseFloats();
const currentsOf = reuseFloats();
const changesOf = reuseFloats();

function createNewtonStep(problem: RoutingProblem): (point: DualPoint) => Step {
  const { graph, edges, tokens, sink } = problem;
  const nodeOf = nodesOf(graph.tokens.length);
  const others: number[] = [];
  for (const token of tokens) {
    if (token === sink) continue;
    nodeOf[token] = others.length;
    others.push(token);
  }
  const n = others.length;
  const width = n + 1;
  nodeOf[sink] = n;
  const conductance = conductancesOf(width * width);
  const current = currentsOf(width);
  const change = changesOf(graph.tokens.length);

  return (point) => {
    conductance.fill(0, 0, width * width);
    const connect = (a: number, b: number, added: number) => {
      conductance[a * width + b] = at(conductance, a * width + b) + added;
      conductance[b * width + a] = at(conductance, b * width + a) + added;
    };
    for (const edge of edges) {
      const stiffness = at(point.stiffness, edge);
      if (stiffness > 0) {
        connect(
          intAt(nodeOf, intAt(graph.from, edge)),
          intAt(nodeOf, intAt(graph.to, edge)),
          stiffness,
        );
      }
    }
    others.forEach((token, node) => {
      const excessValue = at(point.prices, token) * at(point.excess, token);
      current[node] = -excessValue;
      // Keeps prices that nothing else holds from moving by more than their own size. It vanishes
      // with the excess, so that convergence stays quadratic.
      if (excessValue !== 0) connect(node, n, Math.abs(excessValue));
    });
    solveLaplacian(conductance, current, n);
    let slope = 0;
    let steepest = 0;
    others.forEach((token, node) => {
      const z = at(current, node);
      change[token] = z * at(point.prices, token);
      slope += at(change, token) * at(point.excess, token);
      steepest = Math.max(steepest, -z);
    });
    return { change, slope, steepest };
  };
}

type Line = {
  readonly point: DualPoint;
  readonly change: Float64Array;
  readonly next: DualPoint;
};

/**
 * Steps to where the slope of g has lost most of its size. That lies between a point where g still
 * falls and one where it rises: regula falsi, kept off the ends. A much stiffer edge may begin to
 * trade after a very short step, so a trial may shrink the bracket to a tenth.
 */
function searchLine(
  problem: RoutingProblem,
  line: Line,
  { slope, longest }: { slope: number; longest: number },
): void {
  let falling = { length: 0, slope };
  let rising: typeof falling | undefined;
  let length = longest;
  for (let trial = 0; trial < maxTrials; trial++) {
    moveAlong(problem, line, length);
    const here = { length, slope: slopeAlong(problem, line) };
    const isFlat = Math.abs(here.slope) <= flatEnough * -slope;
    if (isFlat && line.next.value <= line.point.value) return;
    if (here.slope < 0) falling = here;
    else rising = here;
    if (rising === undefined) return;
    const span = rising.length - falling.length;
    const zero = (span * -falling.slope) / (rising.slope - falling.slope);
    length = falling.length + Math.min(Math.max(zero, 0.1 * span), 0.9 * span);
  }
  moveAlong(problem, line, falling.length);
}

const maxTrials = 40;
const flatEnough = 0.3;

function slopeAlong(problem: RoutingProblem, { change, next }: Line): number {
  let slope = 0;
  for (const token of problem.tokens) slope += at(change, token) * at(next.excess, token);
  return slope;
}

function moveAlong(problem: RoutingProblem, { point, change, next }: Line, length: number): void {
  for (const token of problem.tokens) {
    next.prices[token] = at(point.prices, token) + length * at(change, token);
  }
  evaluateDualPoint(problem, next);
}
