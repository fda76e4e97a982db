import { publicDeployments } from '../../src/swap/deployments/public-deployments.ts';
import type { Address } from '../../src/swap/model.ts';
import { findRoute, type Route } from '../../src/swap/routing/find-route.ts';
import { prepareGraph } from '../../src/swap/routing/graph/routing-graph.ts';
import { midPriceBetween } from '../../src/swap/routing/mid-price-between.ts';
import { bestFlow, withoutArbitrage } from '../../tests/support/best-flow.ts';
import { createDice } from '../../tests/support/dice.ts';
import { type RecordedGraph, recordedGraphs } from '../../tests/support/recorded-graphs.ts';
import { createSeededFractions } from '../../tests/support/seeded-fractions.ts';
import { createTinesPeer } from './tines-peer.ts';

/*
 * Searches over recorded pools of real chains [Q35], with trades between random tokens from 1,000 to 10 million dollars and gas
 * free: how far the output is below the dual bound, what a flow gives that an independent solver finds and settles
 * in integers, what @sushiswap/tines gives, and the time of a search. Each graph is searched as it was recorded, and after arbitrage:
 * where closed walks gain, the bound counts a gain that no route has. The independent solver, which takes seconds for loops, is
 * asked only after arbitrage. Then the pools that a quote considers,
 * those between the two tokens and the base tokens of the chain, are compared with all of them.
 * The recordings are no part of the project: name their folder in TRADEWIND_MAINNET_DATA.
 * Run: npm ci --prefix bench/routing && node bench/routing/recorded.ts (Node.js 24).
 */

const trades = Number(process.env.TRADES ?? 24);
const seed = Number(process.env.SEED ?? 35);
const gasUnits = { hops: { 'constant-product': 60_000, concentrated: 100_000 } };

type Question = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountIn: bigint;
  readonly gasPrice: number;
};

console.log(`\n${trades} trades a graph, seed ${seed}; losses in basis points of the bound`);
for (const graph of recordedGraphs()) {
  const quiet = { ...graph, pools: withoutArbitrage(graph.pools, graph.wrappedNative) };
  console.table([measure(graph, 'as recorded'), measure(quiet, 'after arbitrage')]);
}

function measure(graph: RecordedGraph, state: 'as recorded' | 'after arbitrage') {
  const whole = prepareGraph(graph.pools);
  const considered = new Map<string, ReturnType<typeof prepareGraph>>();
  const peer = createTinesPeer(
    {
      tokens: graph.tokens.map((token) => ({ ...token, usd: 0 })),
      pools: graph.pools,
      ranges: new Map(
        [...graph.balances].map(([pool, balances]) => [pool, { balances, positions: [] }]),
      ),
    },
    { base: graph.wrappedNative, gasUnits },
  );
  const figures = {
    loss: [] as number[],
    belowFlow: [] as number[],
    tines: [] as number[],
    added: [] as number[],
    wall: [] as number[],
    paths: [] as number[],
  };
  let belowTines = 0;
  let processor = 0;
  for (const question of questionsOf(graph, whole)) {
    const pools = consideredBy(graph, question);
    const key = `${question.tokenIn} ${question.tokenOut}`;
    const near = considered.get(key) ?? prepareGraph(pools);
    considered.set(key, near);
    // Once before, as in a server that is warm.
    routeOf(whole, question);
    const [start, before] = [performance.now(), process.cpuUsage()];
    const route = routeOf(whole, question);
    const { user, system } = process.cpuUsage(before);
    figures.wall.push(performance.now() - start);
    processor += (user + system) / 1_000;
    if (route === undefined || route.isPartial) continue;
    const byTines = peer.settle(peer.search(question), question).amountOut;
    const bound = route.optimality.upperBound;
    figures.loss.push(route.optimality.gapBps);
    if (state === 'after arbitrage') {
      figures.belowFlow.push(lossBps(route.amountOut, bestFlow(graph.pools, question)));
    }
    figures.tines.push(lossBps(byTines, bound));
    figures.paths.push(route.paths.length);
    if (byTines > route.amountOut) belowTines++;
    const nearRoute = routeOf(near, question);
    if (nearRoute !== undefined) {
      figures.added.push(lossBps(nearRoute.amountOut, route.amountOut));
    }
  }
  const { loss, belowFlow, tines, added, wall, paths } = figures;
  return {
    graph: `${graph.chainId}-${graph.block}, ${state}`,
    pools: graph.pools.length,
    cases: loss.length,
    'loss p50': quantile(loss, 0.5),
    'loss p90': quantile(loss, 0.9),
    'loss worst': quantile(loss, 1),
    'below flow p50': quantile(belowFlow, 0.5),
    'below flow worst': quantile(belowFlow, 1),
    'tines p50': quantile(tines, 0.5),
    'tines worst': quantile(tines, 1),
    'below tines': belowTines,
    'others add p50': quantile(added, 0.5),
    'others add most': quantile(added, 1),
    'paths p50': quantile(paths, 0.5),
    'ms p50': quantile(wall, 0.5),
    'ms worst': quantile(wall, 1),
    'processor ms each': round(processor / wall.length),
  };
}

function questionsOf(
  { tokens, dollar }: RecordedGraph,
  whole: ReturnType<typeof prepareGraph>,
): Question[] {
  const { pick, magnitude } = createDice(createSeededFractions(seed));
  const questions: Question[] = [];
  while (questions.length < trades) {
    const [tokenIn, tokenOut] = [pick(tokens).address, pick(tokens).address];
    const dollars = magnitude(1e3, 1e7);
    const perUnit = tokenIn === dollar ? 1 : midPriceBetween(whole, { tokenIn, tokenOut: dollar });
    if (tokenIn === tokenOut || perUnit === undefined) continue;
    const amountIn = BigInt(Math.ceil((dollars * 1e6) / perUnit));
    questions.push({ tokenIn, tokenOut, amountIn, gasPrice: 0 });
  }
  return questions;
}

/** The pools of the two tokens with each other and with base tokens, and of these among themselves. */
function consideredBy({ chainId, pools }: RecordedGraph, { tokenIn, tokenOut }: Question) {
  const baseTokens = publicDeployments.find((one) => one.chainId === chainId)?.baseTokens ?? [];
  const known = new Set<Address>([tokenIn, tokenOut, ...baseTokens]);
  return pools.filter(({ token0, token1 }) => known.has(token0) && known.has(token1));
}

function routeOf(graph: ReturnType<typeof prepareGraph>, question: Question): Route | undefined {
  const found = findRoute(graph, question);
  return found.kind === 'route' ? found : undefined;
}

function lossBps(amount: bigint, of: bigint): number {
  return (Number(of - amount) / Number(of)) * 10_000;
}

function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN);
}

function round(number: number): number {
  return Number(number.toPrecision(3));
}
