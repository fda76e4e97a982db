import { createBoundedMap } from '../../../kernel/wait/remembered.ts';
import type { Block } from '../../chain/chain-reader.ts';
import type { ChainDeployment } from '../../deployments/deployment.ts';
import type { ExecutorFinder } from '../../executor/create-executor-finder.ts';
import { swapLimits } from '../../limits.ts';
import type { PoolCache } from '../../pools/cache/create-pool-cache.ts';
import type { PoolId } from '../../pools/pool.ts';
import type { PoolQuery, PoolReading } from '../../pools/read-pools.ts';
import { createPoolDiscovery } from './create-pool-discovery.ts';
import type { MarketOptions, MarketPool } from './market.ts';

export type MarketPoolsOptions = {
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
export type MarketPools = {
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
