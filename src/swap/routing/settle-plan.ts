import type { Address } from '../model.ts';
import type { PoolState, Shortfall, SwapResult } from '../pools/pool.ts';
import { poolKindOf, simulateSwap } from '../pools/pool-kinds.ts';
import { findBestWalks, type Walk } from './graph/best-walks.ts';
import type { RoutingGraph } from './graph/routing-graph.ts';
import type { RoutingProblem } from './graph/routing-problem.ts';
import { at } from './graph/vectors.ts';
import type { Plan } from './plans/path-flow.ts';

/**
 * Gives the walks of a plan whole units of the amount and settles them. Shares are rounded down and
 * the largest walk gets the rest, so that nothing of the amount is lost. If a pool on a walk ran
 * out, what the walk could not take goes to the largest walk without such a pool.
 */
export function settlePlan(graph: RoutingGraph, plan: Plan, amountIn: bigint): Settlement {
  const offers = plan.walks.map((walk, index) => ({
    walk,
    amountIn: BigInt(Math.floor(at(plan.shares, index))),
    ranOut: false,
  }));
  let missing = amountIn - offers.reduce((sum, offer) => sum + offer.amountIn, 0n);
  for (let round = 1; ; round++) {
    let largest: (typeof offers)[number] | undefined;
    for (const offer of offers) {
      if (!offer.ranOut && offer.amountIn > (largest?.amountIn ?? -1n)) largest = offer;
    }
    if (largest !== undefined) largest.amountIn += missing;
    const settlement = settleWalks(graph, offers);
    missing = amountIn - settlement.amountIn;
    if (missing === 0n || largest === undefined || round === maxRounds) return settlement;
    settlement.taken.forEach((taken, index) => {
      const offer = offers[index];
      if (offer === undefined || taken === offer.amountIn) return;
      offer.amountIn = taken;
      offer.ranOut = true;
    });
  }
}

const maxRounds = 4;

/**
 * Settles a plan whose walks take all they can: each is offered a trifle more than its share, so
 * that the pools themselves say to the unit where they end.
 */
export function settleFullPlan(graph: RoutingGraph, plan: Plan, amountIn: bigint): Settlement {
  let left = amountIn;
  const offers = plan.walks.map((walk, index) => {
    const wanted = BigInt(Math.floor(at(plan.shares, index) * (1 + trifle))) + 1n;
    const offer = { walk, amountIn: wanted < left ? wanted : left };
    left -= offer.amountIn;
    return offer;
  });
  return settleWalks(graph, offers);
}

/** More than the error of a share, which is some 10⁻¹⁴, and still negligible. */
const trifle = 1e-11;

/** One swap of a path. `pool` is the state in the snapshot, before any hop of the route. */
export type SettledHop = {
  readonly pool: PoolState;
  readonly zeroForOne: boolean;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
};

/** A chain of hops: each takes the whole output of the one before. */
export type SettledPath = {
  readonly hops: readonly SettledHop[];
  readonly amountIn: bigint;
  readonly amountOut: bigint;
};

export type Settlement = {
  /** In the order of execution, without the walks that would give nothing. */
  readonly paths: readonly SettledPath[];
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** How many initialized ticks were crossed in concentrated pools. */
  readonly crossedTicks: number;
  /** What each walk took: less than it was offered where a pool on it ran out. */
  readonly taken: readonly bigint[];
};

/**
 * Executes walks one after the other in the integers of the contracts, so that walks that share a
 * pool are exact [Q18]. A walk takes at most what every pool on it can take in whole: no swap is ever
 * sent beyond the liquidity, where a contract would search empty ticks until the gas is gone.
 */
export function settleWalks(
  graph: RoutingGraph,
  walks: readonly { readonly walk: Walk; readonly amountIn: bigint }[],
): Settlement {
  const states = new Map<number, PoolState>();
  const paths: SettledPath[] = [];
  const taken: bigint[] = [];
  let crossedTicks = 0;
  for (const { walk, amountIn } of walks) {
    const run = runWhatFits({ graph, states, walk, amountIn });
    taken.push(run?.path.amountIn ?? 0n);
    if (run === undefined) continue;
    paths.push(run.path);
    for (const { pool, result } of run.swaps) {
      const before = stateOf(graph, states, pool);
      crossedTicks += poolKindOf(before).ticksBetween?.(before, result.stateAfter) ?? 0;
      states.set(pool, result.stateAfter);
    }
  }
  return {
    paths,
    amountIn: paths.reduce((sum, path) => sum + path.amountIn, 0n),
    amountOut: paths.reduce((sum, path) => sum + path.amountOut, 0n),
    crossedTicks,
    taken,
  };
}

type WalkOnPools = {
  readonly graph: RoutingGraph;
  readonly states: ReadonlyMap<number, PoolState>;
  readonly walk: Walk;
  readonly amountIn: bigint;
};

type Run = {
  readonly ended: 'at-the-sink';
  readonly path: SettledPath;
  readonly swaps: readonly { readonly pool: number; readonly result: SwapResult }[];
};

type BrokenRun = {
  readonly ended: 'on-the-way';
  readonly shortfall: Shortfall;
  readonly taken: bigint;
  readonly offered: bigint;
};

/**
 * Runs a walk with the whole offer or, where a pool takes only a part of what reaches it, with nearly
 * the greatest amount that every pool takes in whole.
 *
 * If a pool takes u of the y it is offered, the walk was sent too much by at least the part 1 − u/y,
 * since output is concave in input. That part is taken off, then twice and four times what is still
 * too much, until the walk fits. Then the interval is bisected.
 */
function runWhatFits(offer: WalkOnPools): Run | undefined {
  let tooMuch = offer.amountIn;
  let run = tooMuch > 0n ? runWalk(offer) : undefined;
  for (let haste = 1n; run?.ended === 'on-the-way'; haste *= 2n) {
    if (run.shortfall === 'no-output') return undefined;
    const excess = (tooMuch * (run.offered - run.taken)) / run.offered;
    // A pool that takes nothing, such as a pair that would overflow, does not show by how much.
    const step = run.taken === 0n ? tooMuch >> 20n : excess;
    const hasty = tooMuch - (step > 0n ? step : 1n) * haste;
    const amountIn = hasty > 0n ? hasty : (tooMuch - step) / 2n;
    if (amountIn === 0n) return undefined;
    run = runWalk({ ...offer, amountIn });
    if (run.ended === 'on-the-way') tooMuch = amountIn;
  }
  if (run === undefined || run.path.amountIn === offer.amountIn) return run;
  while (tooMuch - run.path.amountIn > 1n + (run.path.amountIn >> precision)) {
    const amountIn = (run.path.amountIn + tooMuch) / 2n;
    const more = runWalk({ ...offer, amountIn });
    if (more.ended === 'at-the-sink') run = more;
    else tooMuch = amountIn;
  }
  return run;
}

/** To how many binary digits the amount that fits is found; the rest stays with the sender. */
const precision = 40n;

function runWalk({ graph, states, walk, amountIn }: WalkOnPools): Run | BrokenRun {
  const hops: SettledHop[] = [];
  const swaps: { pool: number; result: SwapResult }[] = [];
  let amount = amountIn;
  for (const edge of walk) {
    const pool = edge >> 1;
    const zeroForOne = (edge & 1) === 0;
    const state = stateOf(graph, states, pool);
    const result = simulateSwap(state, { zeroForOne, amountIn: amount });
    if (result.shortfall !== undefined) {
      const { shortfall, amountInUsed } = result;
      return { ended: 'on-the-way', shortfall, taken: amountInUsed, offered: amount };
    }
    hops.push({
      pool: firstStateOf(graph, pool),
      zeroForOne,
      tokenIn: zeroForOne ? state.token0 : state.token1,
      tokenOut: zeroForOne ? state.token1 : state.token0,
      amountIn: amount,
      amountOut: result.amountOut,
    });
    swaps.push({ pool, result });
    amount = result.amountOut;
  }
  return { ended: 'at-the-sink', path: { hops, amountIn, amountOut: amount }, swaps };
}

function stateOf(
  graph: RoutingGraph,
  states: ReadonlyMap<number, PoolState>,
  pool: number,
): PoolState {
  return states.get(pool) ?? firstStateOf(graph, pool);
}

/** The state in the snapshot. Edges are made from pools, so that every edge has one. */
function firstStateOf({ pools }: RoutingGraph, pool: number): PoolState {
  return pools[pool] as PoolState;
}

/**
 * For each number of hops the single walk that gives the most for the whole amount, simulated in the
 * contracts' integers: where single units decide, the curves cannot tell which walk is best. Amounts of so
 * few units are exact in float64.
 */
export function exactSingleWalks(problem: RoutingProblem, amountIn: bigint): Walk[] {
  const { graph, edges, source, sink, maxHops } = problem;
  const search = findBestWalks({
    graph,
    edges,
    root: source,
    hops: maxHops,
    start: Number(amountIn),
    step: (edge, input) => {
      const pool = graph.pools[edge >> 1];
      if (pool === undefined) return 0;
      const swap = simulateSwap(pool, { zeroForOne: (edge & 1) === 0, amountIn: BigInt(input) });
      return swap.shortfall === undefined ? Number(swap.amountOut) : 0;
    },
  });
  return search.eachTo(sink);
}
