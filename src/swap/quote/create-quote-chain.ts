import { createBoundedMap } from '../../kernel/bounded-map.ts';
import type { Address } from '../address.ts';
import type { Block, ChainReader } from '../chain/chain-reader.ts';
import type { ChainDeployment } from '../deployments/deployment.ts';
import { createExecutorFinder } from '../executor/create-executor-finder.ts';
import { swapLimits } from '../limits.ts';
import { createPermitFinder } from '../permit/create-permit-finder.ts';
import type { PoolCache } from '../pools/create-pool-cache.ts';
import { createPoolDiscovery } from '../pools/create-pool-discovery.ts';
import type { PoolId } from '../pools/pool.ts';
import type { PoolQuery, PoolReading } from '../pools/read-pools.ts';
import type { TokenDirectory } from '../tokens/create-token-directory.ts';
import {
  probeStorageCalls,
  readTokenStorage,
  type TokenStorage,
} from '../transaction/probe-storage-layout.ts';
import { createRoutingMemory } from './create-routing-memory.ts';
import type { MarketOptions, MarketPool, QuoteChain } from './market.ts';

export type QuoteChainOptions = {
  readonly deployment: ChainDeployment;
  readonly reader: ChainReader;
  readonly pools: PoolCache;
  readonly tokens: TokenDirectory;
  rpcUrls(): readonly string[];
};

// Layouts are a few bytes each; more tokens than this are not asked for in a day.
const layoutsKept = swapLimits.layoutsKept.value;

type FoundPools = {
  /** Whose routers said which exchanges are reached. */
  readonly deployment: ChainDeployment;
  readonly queries: readonly PoolQuery[];
  readonly pools: readonly MarketPool[];
};

const nothingKnown: TokenStorage = { balances: undefined, allowances: undefined };

/** A chain with what is remembered of it: pools by block, token metadata and storage layouts. */
export function createQuoteChain(options: QuoteChainOptions): QuoteChain {
  const { deployment, reader, pools, tokens, rpcUrls } = options;
  const discoverPools = createPoolDiscovery(deployment);
  const executor = createExecutorFinder(deployment, reader);
  const memory = createRoutingMemory();
  const layouts = createBoundedMap<Address, TokenStorage>(layoutsKept);
  /** The pools of two tokens at the newest block: quotes of one block need not gather them again [Q31]. */
  let found = createBoundedMap<string, FoundPools>(swapLimits.graphsKept.value);
  let newestBlock = 0n;

  async function readPoolsAt(block: Block, wanted: MarketOptions): Promise<readonly MarketPool[]> {
    const { sides, reaches, signal } = wanted;
    if (block.number > newestBlock) {
      found = createBoundedMap(swapLimits.graphsKept.value);
      newestBlock = block.number;
    }
    const key = `${block.hash} ${sides.tokenIn} ${sides.tokenOut}`;
    const last = found.get(key);
    if (reaches === undefined && last?.deployment === executor.deployment) {
      pools.useAgain(block, last.queries);
      return last.pools;
    }
    // What no router reaches, because the executor is not on the chain, is not worth reading.
    const { deployment } = executor;
    const reached = new Set(deployment.routers.flatMap(({ exchanges }) => exchanges));
    const candidates = discoverPools([sides.tokenIn, sides.tokenOut]).filter(({ exchange }) =>
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
      const traded = new Set(existing(readings).flatMap(({ pool }) => [pool.token0, pool.token1]));
      return traded.has(sides.tokenIn) && traded.has(sides.tokenOut);
    };
    const readings = await pools.readAt(block, queries, { signal, isUse });
    const marketPools = existing(readings);
    if (isUse(readings)) found.set(key, { deployment, queries, pools: marketPools });
    return marketPools;
  }

  async function readLayout(
    block: Block,
    { sides, sender, signal }: MarketOptions,
  ): Promise<TokenStorage> {
    const spender = deployment.routers[0]?.address;
    if (sides.isNativeIn || spender === undefined || sender === undefined) return nothingKnown;
    const known = layouts.get(sides.tokenIn);
    if (known !== undefined) return known;
    const calls = probeStorageCalls(sides.tokenIn, sender, spender);
    const storage = readTokenStorage(await reader.call(calls, { block, signal }));
    layouts.set(sides.tokenIn, storage);
    return storage;
  }

  return {
    get deployment() {
      return executor.deployment;
    },
    forgetExecutor: executor.forget,
    findPermit: createPermitFinder({ chainId: deployment.chainId, reader }),
    reader,
    rpcUrls,
    async readMarket(wanted) {
      const { sides, isFresh, mostAgeMs, at, signal } = wanted;
      const remembered = isFresh || at ? undefined : pools.newest(mostAgeMs);
      const block = at ?? remembered ?? (await reader.latestBlock({ signal }));
      const passed = [sides.tokenIn, sides.tokenOut, ...deployment.baseTokens];
      const knownBefore = executor.deployment;
      const [marketPools, infos, storage] = await Promise.all([
        readPoolsAt(block, wanted),
        tokens.find(passed, { block, signal }),
        readLayout(block, wanted),
        executor.look(block, { signal }),
      ]);
      if (at === undefined && remembered === undefined) pools.confirm(block);
      return {
        block,
        isRemembered: remembered !== undefined,
        // Where the executor has just been found, more pools are within reach; the others are in memory.
        pools: executor.deployment === knownBefore ? marketPools : await readPoolsAt(block, wanted),
        tokens: infos,
        storage,
        memory,
      };
    },
  };
}
