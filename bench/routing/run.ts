import { findRoute, type Route } from '../../src/swap/routing/find-route.ts';
import { prepareGraph, type RoutingGraph } from '../../src/swap/routing/graph/routing-graph.ts';
import { bestSinglePath } from './best-single-path.ts';
import { mainnetLikePools, mainnetTokens, trades } from './mainnet-like-pools.ts';
import { type PoolSet, units } from './pool-set.ts';
import { createTinesPeer, gasAsPaths } from './tines-peer.ts';
import { webOfPools } from './web-of-pools.ts';

/*
 * Compares our routing with @sushiswap/tines and the best single path, on the same pools in memory. Every
 * output is settled in the contracts' integers. Run: npm ci && node run.ts (Node.js 24).
 */

const seeds = Array.from({ length: Number(process.env.SEEDS ?? 20) }, (_, index) => index + 1);
/** Units of gas, of about the size that SwapRouter02 uses on Ethereum. */
const gasUnits = {
  path: 30_000,
  hops: { 'constant-product': 60_000, concentrated: 100_000 },
  crossedTick: 20_000,
};
const warmUps = Number(process.env.WARM_UPS ?? 150);

console.log(
  '\n22 pools, 13 trades, gas free; gaps and losses in basis points of the certified bound',
);
console.table([{ arbitrage: false }, { arbitrage: true }].map(compareOutputs));
console.log('\nThe same with gas: what is left after gas, in basis points above tines as paths');
console.table(
  [false, true].flatMap((arbitrage) =>
    [1, 10, 50, 300].map((gwei) => compareNets({ arbitrage, gwei })),
  ),
);
console.log('\nSmall trades (gas free, no arbitrage): whole units, not thinking, make the gap');
console.table([1e-9, 1e-6, 1e-3].map(compareSmallTrades));
console.log('\nTime of a search after warming up, milliseconds');
console.table([
  ...[false, true].map((withGas) => timeMainnetLike(withGas)),
  ...[100, 400, 1200, 10_000].flatMap((count) => [0, 0.5].map((share) => timeWeb(count, share))),
]);

function compareOutputs({ arbitrage }: { arbitrage: boolean }) {
  const gaps: number[] = [];
  const tinesLosses: number[] = [];
  const singleLosses: number[] = [];
  const paths: number[] = [];
  let belowTines = 0;
  let belowSingle = 0;
  forEachTrade({ arbitrage }, ({ graph, set, question }) => {
    const route = routeOf(graph, question);
    const peer = createTinesPeer(set, { base: mainnetTokens.WETH.address, gasUnits });
    const asked = { ...question, gasPrice: 0 };
    const byTines = peer.settle(peer.search(asked), asked).amountOut;
    const single = bestSinglePath(set, { ...question, maxHops: 4 });
    const bound = route.optimality.upperBound;
    gaps.push(route.optimality.gapBps);
    tinesLosses.push(lossBps(byTines, bound));
    singleLosses.push(lossBps(single, bound));
    paths.push(route.paths.length);
    if (route.amountOut < byTines) belowTines++;
    if (route.amountOut < single) belowSingle++;
  });
  return {
    pools: arbitrage ? 'arbitrage' : 'quiet',
    cases: gaps.length,
    'gap p50': round(quantile(gaps, 0.5)),
    'gap p95': round(quantile(gaps, 0.95)),
    'gap worst': round(quantile(gaps, 1)),
    'tines p50': round(quantile(tinesLosses, 0.5)),
    'tines worst': round(quantile(tinesLosses, 1)),
    'single worst': round(quantile(singleLosses, 1)),
    'below tines': belowTines,
    'below single': belowSingle,
    'paths p50': quantile(paths, 0.5),
    'paths most': quantile(paths, 1),
  };
}

function compareNets({ arbitrage, gwei }: { arbitrage: boolean; gwei: number }) {
  const above: number[] = [];
  const paths: number[] = [];
  let below = 0;
  forEachTrade({ arbitrage }, ({ graph, set, question, outPerWei }) => {
    const gas = gasCosts(gwei * 1e9 * outPerWei);
    const route = routeOf(graph, { ...question, gas });
    const peer = createTinesPeer(set, { base: mainnetTokens.WETH.address, gasUnits });
    const asked = { ...question, gasPrice: gwei * 1e9 };
    const byTines = peer.settle(peer.search(asked), asked);
    const net = byTines.amountOut - BigInt(Math.ceil(gasAsPaths(byTines, { gas, ...question })));
    above.push((Number(route.netAmountOut - net) / Math.abs(Number(net))) * 10_000);
    paths.push(route.paths.length);
    if (route.netAmountOut < net) below++;
  });
  return {
    pools: arbitrage ? 'arbitrage' : 'quiet',
    gwei,
    cases: above.length,
    'below tines': below,
    'above, least': round(quantile(above, 0)),
    'above, p50': round(quantile(above, 0.5)),
    'above, most': round(quantile(above, 1)),
    'paths p50': quantile(paths, 0.5),
    'paths most': quantile(paths, 1),
  };
}

function compareSmallTrades(factor: number) {
  const gaps: number[] = [];
  const unitGaps: number[] = [];
  let none = 0;
  forEachTrade({ arbitrage: false, factor }, ({ graph, question }) => {
    const found = findRoute(graph, question);
    if (found.kind === 'no-route') {
      none++;
      return;
    }
    gaps.push(found.optimality.gapBps);
    unitGaps.push(Number(found.optimality.upperBound - found.amountOut));
  });
  return {
    'amounts times': factor,
    cases: gaps.length + none,
    'nothing comes out': none,
    'gap p50': round(quantile(gaps, 0.5)),
    'gap worst': round(quantile(gaps, 1)),
    'gap in units p50': quantile(unitGaps, 0.5),
  };
}

function timeMainnetLike(withGas: boolean) {
  const set = mainnetLikePools(7, { arbitrage: false });
  const graph = prepareGraph(set.pools);
  const peer = createTinesPeer(set, { base: mainnetTokens.WETH.address, gasUnits });
  const questions = questionsOf(1).map(({ question, outPerWei }) => ({
    ...question,
    ...(withGas ? { gas: gasCosts(10e9 * outPerWei) } : {}),
    gasPrice: withGas ? 10e9 : 0,
  }));
  const ours = measure(questions, (question) => routeOf(graph, question), { rounds: 30 });
  const theirs = measure(questions, (question) => peer.search(question), { rounds: 3 });
  const name = withGas ? '22 pools, 10 gwei' : '22 pools';
  return timeRow(name, { set, ours, theirs });
}

function timeWeb(count: number, rangeShare: number) {
  const set = webOfPools(count, { rangeShare });
  const graph = prepareGraph(set.pools);
  const [hub, , , tokenIn, , , , tokenOut] = set.tokens.map(({ address }) => address);
  if (hub === undefined || tokenIn === undefined || tokenOut === undefined) throw new Error('few');
  const questions = [10n ** 18n, 10n ** 20n, 10n ** 22n].map((amountIn) => ({
    tokenIn,
    tokenOut,
    amountIn,
    gasPrice: 0,
  }));
  const ours = measure(questions, (question) => routeOf(graph, question), { rounds: 10 });
  const peer = createTinesPeer(set, { base: hub, gasUnits });
  const isSmall = count <= 1200;
  const theirs = isSmall
    ? measure(questions, (question) => peer.search(question), { rounds: 2 })
    : undefined;
  const name = `${set.pools.length} pools${rangeShare > 0 ? ', half V3' : ', all V2'}`;
  return timeRow(name, { set, ours, theirs });
}

type Times = { wall: readonly number[]; processor: number };

/** Wall time of each call, and processor time a call, after warming up. */
function measure<Question>(
  questions: readonly Question[],
  call: (question: Question) => unknown,
  { rounds }: { rounds: number },
): Times {
  for (let round = 0; round < Math.min(warmUps, 5 * rounds); round++) questions.forEach(call);
  const wall: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    for (const question of questions) {
      const start = performance.now();
      call(question);
      wall.push(performance.now() - start);
    }
  }
  const { user, system } = process.cpuUsage(before);
  return { wall, processor: (user + system) / 1000 / wall.length };
}

function timeRow(
  name: string,
  { set, ours, theirs }: { set: PoolSet; ours: Times; theirs: Times | undefined },
) {
  const start = performance.now();
  prepareGraph(set.pools);
  return {
    pools: name,
    p50: round(quantile(ours.wall, 0.5)),
    p95: round(quantile(ours.wall, 0.95)),
    'processor time': round(ours.processor),
    'tines p50': theirs === undefined ? '' : round(quantile(theirs.wall, 0.5)),
    'tines processor time': theirs === undefined ? '' : round(theirs.processor),
    'prepare graph': round(performance.now() - start),
  };
}

function questionsOf(factor: number) {
  return trades.map(([sold, bought, amount]) => {
    const [tokenIn, tokenOut] = [mainnetTokens[sold], mainnetTokens[bought]];
    const outPerWei = (mainnetTokens.WETH.usd / tokenOut.usd) * 10 ** (tokenOut.decimals - 18);
    const whole = units(tokenIn, amount);
    const amountIn = factor === 1 ? whole : BigInt(Math.ceil(Number(whole) * factor));
    const question = { tokenIn: tokenIn.address, tokenOut: tokenOut.address, amountIn };
    return { question, outPerWei };
  });
}

function forEachTrade(
  { arbitrage, factor = 1 }: { arbitrage: boolean; factor?: number },
  visit: (
    at: { graph: RoutingGraph; set: PoolSet } & ReturnType<typeof questionsOf>[number],
  ) => void,
): void {
  for (const seed of seeds) {
    const set = mainnetLikePools(seed, { arbitrage });
    const graph = prepareGraph(set.pools);
    for (const asked of questionsOf(factor)) visit({ graph, set, ...asked });
  }
}

function routeOf(graph: RoutingGraph, question: Parameters<typeof findRoute>[1]): Route {
  const found = findRoute(graph, question);
  if (found.kind === 'no-route') throw new Error(`no route: ${found.reason}`);
  return found;
}

function gasCosts(outPerGas: number) {
  return {
    path: gasUnits.path * outPerGas,
    hops: {
      'constant-product': gasUnits.hops['constant-product'] * outPerGas,
      concentrated: gasUnits.hops.concentrated * outPerGas,
    },
    crossedTick: gasUnits.crossedTick * outPerGas,
  };
}

function lossBps(amount: bigint, bound: bigint): number {
  return (Number(bound - amount) / Number(bound)) * 10_000;
}

function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function round(number: number): number {
  return Number(number.toPrecision(3));
}
