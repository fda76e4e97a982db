import { createBoundedMap } from '../../../kernel/wait/remembered.ts';
import type { Block } from '../../chain/chain-reader.ts';
import type { ChainDeployment } from '../../deployments/deployment.ts';
import type { ExecutorFinder } from '../../executor/create-executor-finder.ts';
import { swapLimits } from '../../limits.ts';
import type { Address } from '../../model.ts';
import type { PoolCache } from '../../pools/cache/create-pool-cache.ts';
import type { Pool, PoolId } from '../../pools/pool.ts';
import { poolKindOf } from '../../pools/pool-kinds.ts';
import type { PoolQuery, PoolReading } from '../../pools/read-pools.ts';
import type { MarketOptions, MarketPool } from './market.ts';

type MarketPoolsOptions = {
  readonly deployment: ChainDeployment;
  /** Says which exchanges the routers reach by now. */
  readonly executor: Pick<ExecutorFinder, 'deployment'>;
  readonly pools: PoolCache;
};

type FoundPools = {
  /** The deployment whose routers reach these pools. */
  readonly deployment: ChainDeployment;
  readonly queries: readonly PoolQuery[];
  readonly pools: readonly MarketPool[];
};

/** Gives the pools that a route between two tokens may pass, at one block. */
type MarketPools = {
  readAt(
    block: Block,
    wanted: Pick<MarketOptions, 'sides' | 'looksFurther' | 'reaches' | 'signal'>,
  ): Promise<readonly MarketPool[]>;
};

/** Caches the pools of two tokens at the newest block, so that quotes of one block share them [Q31]. */
export function createMarketPools(options: MarketPoolsOptions): MarketPools {
  const { executor, pools } = options;
  const discoverPools = createPoolDiscovery(options.deployment);
  let found = createBoundedMap<string, FoundPools>(swapLimits.graphsKept.value);
  let newestBlock = 0n;

  return {
    async readAt(block, wanted) {
      const { sides, looksFurther, reaches, signal } = wanted;
      if (block.number > newestBlock) {
        found = createBoundedMap(swapLimits.graphsKept.value);
        newestBlock = block.number;
      }
      const key = `${block.hash} ${sides.tokenIn} ${sides.tokenOut} ${looksFurther}`;
      const last = found.get(key);
      if (reaches === undefined && last?.deployment === executor.deployment) {
        pools.useAgain(block, last.queries);
        return last.pools;
      }
      // Exchanges that no router reaches, because the executor is not on the chain, are not worth reading.
      const { deployment } = executor;
      const reached = new Set(deployment.routers.flatMap(({ exchanges }) => exchanges));
      const ends = [sides.tokenIn, sides.tokenOut] as const;
      const candidates = discoverPools(ends, { looksFurther }).filter(({ exchange }) =>
        reached.has(exchange),
      );
      const queries = candidates.map((pool) => {
        const reach = reaches?.get(pool.id);
        return reach === undefined ? { pool } : { pool, reach };
      });
      const existing = (readings: ReadonlyMap<PoolId, PoolReading>) =>
        candidates.flatMap((pool) => {
          const state = readings.get(pool.id);
          return state === undefined || typeof state === 'string' ? [] : [{ pool, state }];
        });
      // Anybody may ask for any two addresses: where one of them is in no pool, nothing is kept warm [F12].
      const isUse = (readings: ReadonlyMap<PoolId, PoolReading>) => {
        const traded = new Set(
          existing(readings).flatMap(({ pool }) => [pool.token0, pool.token1]),
        );
        return traded.has(sides.tokenIn) && traded.has(sides.tokenOut);
      };
      const readings = await pools.readAt(block, queries, { signal, isUse });
      const marketPools = existing(readings);
      if (isUse(readings)) found.set(key, { deployment, queries, pools: marketPools });
      return marketPools;
    },
  };
}

// Some ten pools a pair: a few megabytes at most.
const pairsKept = swapLimits.pairsKept.value;

/**
 * Finds every pool that a route between two tokens can use: of the two, of each with a base token of
 * the chain, and of the base tokens among themselves; `looksFurther` counts the chain's further tokens as base tokens [Q50]. It asks no chain: addresses follow from the
 * tokens, and which of the pools exist is found by reading them. The addresses are hashes of hashes and
 * would take a third of a quote's processor time, so those of a pair are remembered.
 *
 * Pass the wrapped token for the native one.
 */
export function createPoolDiscovery({
  exchanges,
  baseTokens,
  furtherTokens = [],
  wrappedNative,
}: Pick<ChainDeployment, 'exchanges' | 'baseTokens' | 'furtherTokens' | 'wrappedNative'>): (
  tokens: readonly [Address, Address],
  options?: { readonly looksFurther?: boolean | undefined },
) => Pool[] {
  const known = createBoundedMap<string, readonly Pool[]>(pairsKept);

  function discoverPair(pair: readonly [Address, Address]): readonly Pool[] {
    const key = pair.join(' ');
    const pools = known.get(key) ?? computePair(pair);
    known.set(key, pools);
    return pools;
  }

  function computePair(tokens: readonly [Address, Address]): readonly Pool[] {
    return exchanges.flatMap((exchange) =>
      poolKindOf(exchange).discover(exchange, { tokens, wrappedNative }),
    );
  }

  return (tokens, { looksFurther = false } = {}) => {
    const further = looksFurther ? furtherTokens : [];
    const all = [...new Set([...tokens, ...baseTokens, ...further])];
    return all.flatMap((tokenA, index) =>
      all.slice(index + 1).flatMap((tokenB) => discoverPair([tokenA, tokenB])),
    );
  };
}
