import { createRequire } from 'node:module';
import type { Address } from '../../src/swap/model.ts';
import type { PoolState } from '../../src/swap/pools/pool.ts';
import { poolKindOf, simulateSwap } from '../../src/swap/pools/pool-kinds.ts';
import type { GasCosts } from '../../src/swap/routing/plans/plan-costs.ts';
import type { PoolSet } from './pool-set.ts';

type TinesToken = { name: string; symbol: string; address: string; decimals: number };
type TinesLeg = {
  poolAddress: string;
  tokenFrom: TinesToken;
  tokenTo: TinesToken;
  /** The part of the token's remaining balance that goes into this leg. */
  swapPortion: number;
};
type Tines = {
  ConstantProductRPool: new (...settings: unknown[]) => object;
  UniV3Pool: new (...settings: unknown[]) => object;
  findMultiRouteExactIn: (...question: unknown[]) => { legs: TinesLeg[] };
};

// The package is CommonJS with types for an older TypeScript; the types above cover what is used.
const tines: Tines = createRequire(import.meta.url)('@sushiswap/tines');

export type TinesRoute = { readonly amountOut: bigint; readonly legs: readonly Leg[] };

type Leg = {
  readonly pool: PoolState;
  readonly after: PoolState;
  readonly from: string;
  readonly to: string;
  readonly amountIn: bigint;
};

type Question = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly amountIn: bigint;
  /** What a unit of gas costs in wei of the base token. */
  readonly gasPrice: number;
};

/** Sushi's router over the same pools; its legs are settled in integers like ours. */
export function createTinesPeer(
  set: PoolSet,
  settings: { base: Address; gasUnits: Pick<GasCosts, 'hops'> },
) {
  const tokens = new Map<string, TinesToken>(
    set.tokens.map(({ symbol, address, decimals }) => [
      address,
      { name: symbol, symbol, address, decimals },
    ]),
  );
  const byAddress = new Map(set.pools.map((pool) => [pool.address.toLowerCase(), pool]));
  const pools = set.pools.map((pool) => {
    const ends = [pool.address, tokens.get(pool.token0), tokens.get(pool.token1)];
    if (pool.kind === 'constant-product') {
      const fee = 1 - Number(pool.feeNumerator) / Number(pool.feeDenominator);
      const made = new tines.ConstantProductRPool(...ends, fee, pool.reserve0, pool.reserve1);
      return Object.assign(made, { swapGasCost: settings.gasUnits.hops[pool.kind] });
    }
    const ticks = pool.ticks.map(({ index, liquidityNet }) => ({
      index,
      DLiquidity: liquidityNet,
    }));
    const [balance0, balance1] = set.ranges.get(pool.address)?.balances ?? [0n, 0n];
    const price = [pool.tick, pool.liquidity, pool.sqrtPriceX96, ticks];
    const made = new tines.UniV3Pool(...ends, pool.fee / 1e6, balance0, balance1, ...price);
    return Object.assign(made, { swapGasCost: settings.gasUnits.hops[pool.kind] });
  });

  const search = ({ tokenIn, tokenOut, amountIn, gasPrice }: Question) => {
    const ends = [tokens.get(tokenIn), tokens.get(tokenOut), amountIn];
    return tines.findMultiRouteExactIn(...ends, pools, tokens.get(settings.base), gasPrice).legs;
  };

  const settle = (
    found: readonly TinesLeg[],
    { tokenIn, tokenOut, amountIn }: Question,
  ): TinesRoute => {
    const balances = new Map<string, bigint>([[tokenIn, amountIn]]);
    const legs: Leg[] = [];
    for (const { poolAddress, tokenFrom, tokenTo, swapPortion } of found) {
      const pool = byAddress.get(poolAddress.toLowerCase());
      if (pool === undefined)
        throw new Error(`tines routed through an unknown pool ${poolAddress}`);
      const [from, to] = [tokenFrom.address, tokenTo.address];
      const there = balances.get(from) ?? 0n;
      const isAll = swapPortion >= 1 - 1e-12;
      const part = isAll ? there : (there * BigInt(Math.floor(swapPortion * 1e15))) / 10n ** 15n;
      const zeroForOne = pool.token0 === from;
      const { amountOut, stateAfter } = simulateSwap(pool, { zeroForOne, amountIn: part });
      balances.set(from, there - part);
      balances.set(to, (balances.get(to) ?? 0n) + amountOut);
      legs.push({ pool, after: stateAfter, from, to, amountIn: part });
    }
    return { amountOut: balances.get(tokenOut) ?? 0n, legs };
  };

  return { search, settle };
}

/**
 * The gas of a tines route that is executed as full paths from the first token to the last. SwapRouter02 executes
 * splits like this: each path pays for each of its hops.
 */
export function gasAsPaths(
  route: TinesRoute,
  { gas, tokenIn, tokenOut }: { gas: GasCosts; tokenIn: Address; tokenOut: Address },
): number {
  const { legs } = route;
  const shares = sharesOfInput(legs, tokenIn);
  let cost = gas.crossedTick * legs.reduce((sum, leg) => sum + crossedTicks(leg), 0);
  for (;;) {
    // Legs are in topological order, so that one pass finds the widest path.
    const width = new Map<string, number>([[tokenIn, Number.POSITIVE_INFINITY]]);
    const last = new Map<string, number>();
    legs.forEach(({ from, to }, index) => {
      const reached = Math.min(width.get(from) ?? 0, shares[index] ?? 0);
      if (reached <= (width.get(to) ?? 0)) return;
      width.set(to, reached);
      last.set(to, index);
    });
    const share = width.get(tokenOut) ?? 0;
    if (share < 1e-6) return cost;
    cost += gas.path;
    for (let here: string = tokenOut; here !== tokenIn; ) {
      const index = last.get(here);
      const leg = index === undefined ? undefined : legs[index];
      if (index === undefined || leg === undefined) return cost;
      cost += gas.hops[leg.pool.kind] ?? 0;
      shares[index] = (shares[index] ?? 0) - share;
      here = leg.from;
    }
  }
}

/** The part of the whole trade that passes through each leg. */
function sharesOfInput(legs: readonly Leg[], tokenIn: string): number[] {
  const leaving = new Map<string, number>();
  for (const { from, amountIn } of legs) {
    leaving.set(from, (leaving.get(from) ?? 0) + Number(amountIn));
  }
  const arrived = new Map<string, number>([[tokenIn, 1]]);
  return legs.map(({ from, to, amountIn }) => {
    const share = ((arrived.get(from) ?? 0) * Number(amountIn)) / (leaving.get(from) ?? 1);
    arrived.set(to, (arrived.get(to) ?? 0) + share);
    return share;
  });
}

function crossedTicks({ pool, after }: Leg): number {
  return poolKindOf(pool).ticksBetween?.(pool, after) ?? 0;
}
