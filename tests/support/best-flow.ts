import type { Address } from '../../src/swap/model.ts';
import type { ConcentratedState } from '../../src/swap/pools/concentrated/concentrated-pool.ts';
import type { ConstantProductState } from '../../src/swap/pools/constant-product.ts';
import { simulateSwap } from '../../src/swap/pools/pool-kinds.ts';

/*
 * A second opinion on routing: it shares no code with `src/swap/routing`, knows neither hops nor paths, and leaves out no
 * pool. A market is cleared token by token: the price of one is moved until as much of it is sold to the pools as bought,
 * then that of the next, until no price moves. At those prices every pool trades as far as an arbitrageur would, and these
 * trades are the best flow. It is settled in the integers of the contracts.
 */

export type FlowPool = ConstantProductState | ConcentratedState;

type Trade = { readonly tokenIn: Address; readonly tokenOut: Address; readonly amountIn: bigint };

/** What a flow over all the pools gives, settled exactly: at most what the best flow gives, and mostly next to that. */
export function bestFlow(pools: readonly FlowPool[], trade: Trade): bigint {
  const market = clearMarket(pools, trade);
  return market === undefined ? 0n : settle(market, trade);
}

/** The pools after arbitrage: no closed walk gains any more, except by what float64 and rounding leave. */
export function withoutArbitrage(pools: readonly FlowPool[], sink: Address): FlowPool[] {
  const market = clearMarket(pools, { tokenIn: sink, tokenOut: sink, amountIn: 0n });
  return (market ?? []).map((traded) => {
    const { pool } = traded;
    const order = orderOf(traded);
    if (order === undefined || order.left === 0n) return pool;
    const { tokenIn, left } = order;
    return simulateSwap(pool, { zeroForOne: tokenIn === pool.token0, amountIn: left })
      .stateAfter as FlowPool;
  });
}

type Market = readonly MarketPool[];
type MarketPool = Traded & { readonly pool: FlowPool; readonly worths: readonly number[] };

/** Every pool at its price in the best flow. Undefined if the pools do not connect the tokens. */
function clearMarket(pools: readonly FlowPool[], trade: Trade): Market | undefined {
  const living = pools.filter(
    (pool) => pool.kind === 'concentrated' || (pool.reserve0 > 0n && pool.reserve1 > 0n),
  );
  const tokens = [...new Set(living.flatMap(({ token0, token1 }) => [token0, token1]))];
  const market = living.map((pool) => {
    const ends = [tokens.indexOf(pool.token0), tokens.indexOf(pool.token1)] as const;
    const curve = toCurve(pool);
    return { ...curve, pool, ends, now: curve.root };
  });
  const source = tokens.indexOf(trade.tokenIn);
  const sink = tokens.indexOf(trade.tokenOut);
  const prices = firstPrices(market, { size: tokens.length, sink });
  if (!((prices[source] ?? 0) > 0)) return undefined;
  const priced = [...tokens.keys()].filter((token) => token !== sink && (prices[token] ?? 0) > 0);
  // One by one, two by two and all together, since deep pools hold prices to each other.
  const groups = [
    priced,
    ...priced.map((token) => [token]),
    ...priced.flatMap((token, place) => priced.slice(place + 1).map((other) => [token, other])),
  ];
  const clearings = groups.map((group) => ({
    group,
    pools: market.filter(({ ends }) => ends.some((end) => group.includes(end))),
    given: group.includes(source) ? Number(trade.amountIn) : 0,
  }));
  for (let sweep = 0; sweep < mostSweeps; sweep++) {
    const moved = clearings.map((clearing) => clear(clearing, { source, prices }));
    if (Math.max(...moved) < 1e-14) break;
  }
  for (const pool of market) moveTo(pool, prices);
  return market.map((pool) => ({ ...pool, worths: pool.ends.map((token) => prices[token] ?? 0) }));
}

const mostSweeps = 100;

/** A pool in float64: ranges of constant liquidity over its root price, √(token 1 per token 0). */
type Curve = {
  readonly keep: number;
  readonly root: number;
  /** Ascending; the liquidity holds from `from` to the next range. */
  readonly ranges: readonly { readonly from: number; readonly liquidity: number }[];
};

/** A pool in the network, with the root price to which it was traded. */
type Traded = Curve & { readonly ends: readonly [number, number]; now: number };

function toCurve(pool: FlowPool): Curve {
  if (pool.kind === 'constant-product') {
    const [x, y] = [Number(pool.reserve0), Number(pool.reserve1)];
    const keep = Number(pool.feeNumerator) / Number(pool.feeDenominator);
    return { keep, root: Math.sqrt(y / x), ranges: [{ from: 0, liquidity: Math.sqrt(x * y) }] };
  }
  const root = Number(pool.sqrtPriceX96) / 2 ** 96;
  const rootAt = (tick: number) => 1.0001 ** (tick / 2);
  const below = pool.ticks.filter(({ index }) => index <= pool.tick);
  let liquidity = pool.liquidity - below.reduce((sum, tick) => sum + tick.liquidityNet, 0n);
  const ranges = [
    { from: 0, liquidity: 0 },
    { from: rootAt(pool.lowestKnownTick), liquidity: Number(liquidity) },
  ];
  for (const { index, liquidityNet } of pool.ticks) {
    liquidity += liquidityNet;
    ranges.push({ from: rootAt(index), liquidity: Number(liquidity) });
  }
  ranges.push({ from: rootAt(pool.highestKnownTick), liquidity: 0 });
  return { keep: 1 - pool.fee / 1e6, root, ranges };
}

/** What a vanishing amount of each token gives of the sink by its best walk; zero where there is none. */
function firstPrices(
  network: readonly Traded[],
  { size, sink }: { readonly size: number; readonly sink: number },
): number[] {
  let prices: number[] = Array.from({ length: size }, (_, token) => (token === sink ? 1 : 0));
  for (let hop = 0; hop < size; hop++) {
    const better = [...prices];
    for (const { ends, keep, root, ranges } of network) {
      if (!ranges.some(({ liquidity }) => liquidity > 0)) continue;
      const [first, second] = ends;
      const rates = [
        keep * root ** 2 * (prices[second] ?? 0),
        (keep / root ** 2) * (prices[first] ?? 0),
      ];
      if (first !== sink) better[first] = Math.max(better[first] ?? 0, rates[0] ?? 0);
      if (second !== sink) better[second] = Math.max(better[second] ?? 0, rates[1] ?? 0);
    }
    prices = better;
  }
  return prices;
}

/** Trades in a pool until it gives no more than the prices say. */
function moveTo(pool: Traded, prices: readonly number[]): void {
  const { ends, keep, root } = pool;
  const price = (prices[ends[0]] ?? 0) / (prices[ends[1]] ?? 0);
  if (!(price > 0 && price < Number.POSITIVE_INFINITY)) pool.now = root;
  else if (price < keep * root ** 2) pool.now = Math.sqrt(price / keep);
  else if (price > root ** 2 / keep) pool.now = Math.sqrt(price * keep);
  else pool.now = root;
}

/** What a trade to the pool's present price takes of one token and gives of the other, in this order if it goes down. */
function tradeOf({ root, now, ranges, keep }: Traded): readonly [number, number] {
  const down = now < root;
  const [low, high] = down ? [now, root] : [root, now];
  let amount0 = 0;
  let amount1 = 0;
  ranges.forEach(({ from, liquidity }, index) => {
    const start = Math.max(low, from);
    const end = Math.min(high, ranges[index + 1]?.from ?? Number.POSITIVE_INFINITY);
    if (!(end > start)) return;
    amount0 += (liquidity * (end - start)) / (start * end);
    amount1 += liquidity * (end - start);
  });
  return down ? [amount0 / keep, amount1] : [amount1 / keep, amount0];
}

/**
 * Multiplies the prices of some tokens by what lets the pools take as much value of them as they give, and returns by what part
 * that changes them.
 */
function clear(
  { group, pools, given }: { group: readonly number[]; pools: readonly Traded[]; given: number },
  { source, prices }: { source: number; prices: number[] },
): number {
  const before = group.map((token) => prices[token] ?? 0);
  const excessAt = (factor: number) => {
    group.forEach((token, place) => {
      prices[token] = (before[place] ?? 0) * factor;
    });
    let excess = given * (prices[source] ?? 0);
    for (const pool of pools) {
      moveTo(pool, prices);
      if (pool.now === pool.root) continue;
      const [taken, output] = tradeOf(pool);
      const [first, second] = pool.now < pool.root ? pool.ends : [pool.ends[1], pool.ends[0]];
      if (group.includes(first)) excess -= taken * (prices[first] ?? 0);
      if (group.includes(second)) excess += output * (prices[second] ?? 0);
    }
    return excess;
  };
  let low = 1;
  let high = 1;
  for (let width = 1.0001; excessAt(low) > 0 && low > 1e-60; width **= 2) low /= width;
  for (let width = 1.0001; excessAt(high) < 0 && high < 1e60; width **= 2) high *= width;
  for (let step = 0; step < 60 && high > low * (1 + 4e-16); step++) {
    const middle = Math.sqrt(low * high);
    if (excessAt(middle) < 0) low = middle;
    else high = middle;
  }
  excessAt(high);
  return Math.abs(high - 1);
}

/**
 * Executes the flow in the contracts' integers, each pool once: tokens in an order in which all that arrives has arrived, what
 * is there of each divided as the flow divides it. Loops cannot be executed so: the smallest trade of each is left out.
 */
function settle(market: Market, { tokenIn, tokenOut, amountIn }: Trade): bigint {
  const orders = market
    .flatMap((traded) => orderOf(traded) ?? [])
    .filter((order) => order.left > 0n && order.tokenIn !== tokenOut && order.tokenOut !== tokenIn);
  const balances = new Map([[tokenIn, amountIn]]);
  let open = orders;
  while (open.length > 0) {
    const token = open.find(
      (one) => !open.some((other) => other.tokenOut === one.tokenIn),
    )?.tokenIn;
    if (token === undefined) {
      const smallest = loopOf(open).reduce((least, one) => (one.value < least.value ? one : least));
      open = open.filter((order) => order !== smallest);
      continue;
    }
    const here = open.filter((order) => order.tokenIn === token);
    open = open.filter((order) => order.tokenIn !== token);
    let [there, planned] = [
      balances.get(token) ?? 0n,
      here.reduce((sum, { left }) => sum + left, 0n),
    ];
    for (const { pool, left, tokenOut: next } of here) {
      const share = (there * left) / planned;
      [there, planned] = [there - share, planned - left];
      const swap = simulateSwap(pool, { zeroForOne: token === pool.token0, amountIn: share });
      balances.set(next, (balances.get(next) ?? 0n) + swap.amountOut);
    }
  }
  return balances.get(tokenOut) ?? 0n;
}

/** Trades that lead back to where they begin, among trades of which none begins where nothing arrives. */
function loopOf(orders: readonly Order[]): Order[] {
  const passed: Order[] = [];
  for (let order = orders[0]; order !== undefined && !passed.includes(order); ) {
    passed.push(order);
    const { tokenIn } = order;
    order = orders.find((other) => other.tokenOut === tokenIn);
  }
  return passed;
}

type Order = {
  readonly pool: FlowPool;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly left: bigint;
  /** The value, in the sink token. */
  readonly value: number;
};

/** The swap that brings a pool to where it was traded. */
function orderOf({ pool, worths, ...traded }: MarketPool): Order | undefined {
  if (traded.now === traded.root) return undefined;
  const { token0, token1 } = pool;
  const down = traded.now < traded.root;
  const [tokenIn, tokenOut] = down ? [token0, token1] : [token1, token0];
  const [input] = tradeOf(traded);
  return {
    pool,
    tokenIn,
    tokenOut,
    left: BigInt(Math.floor(input)),
    value: input * (worths[down ? 0 : 1] ?? 0),
  };
}
