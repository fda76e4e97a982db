import type { Clock } from '../../kernel/wait/clock.ts';
import type { Block, ChainReader } from '../chain/chain-reader.ts';
import type { ChainDeployment } from '../deployments/deployment.ts';
import { createExecutorFinder } from '../executor/create-executor-finder.ts';
import { executorBuilds } from '../executor/executor-builds.ts';
import { swapLimits } from '../limits.ts';
import { type Address, isBlockUnknown } from '../model.ts';
import type { PoolCache } from '../pools/cache/create-pool-cache.ts';
import type { TokenDirectory } from '../tokens/token-directory.ts';
import { createPermitFinder } from '../transaction/permit-finder.ts';
import { createStorageLayouts, type TokenStorage } from '../transaction/storage-layout.ts';
import { createMarketPools } from './market/create-market-pools.ts';
import { createRoutingMemory } from './market/create-routing-memory.ts';
import type { Market, MarketOptions } from './market/market.ts';
import type { QuoteChain } from './quote-chain.ts';
import { createRouteChooser, type RouteChooserOptions } from './search/create-route-chooser.ts';

export type QuoteChainOptions = {
  readonly deployment: ChainDeployment;
  readonly reader: ChainReader;
  readonly pools: PoolCache;
  readonly tokens: TokenDirectory;
  readonly clock: Clock;
  rpcUrls(): readonly string[];
  readonly searches?: RouteChooserOptions | undefined;
};

const nothingKnown: TokenStorage = { balances: undefined, allowances: undefined };

/** A chain with what is remembered of it: pools by block, token metadata and storage layouts. */
export function createQuoteChain(options: QuoteChainOptions): QuoteChain {
  const { deployment, reader, pools, tokens, rpcUrls, clock } = options;
  const executor = createExecutorFinder(deployment, reader);
  const marketPools = createMarketPools({ deployment, executor, pools });
  const memory = createRoutingMemory();
  const learned = new WeakSet<Market['pools']>();
  // A token stores the allowances of all spenders in one place: any will do, even an executor that is not deployed yet.
  const spender = deployment.routers[0]?.address ?? executorBuilds[0].address;
  const layouts = createStorageLayouts(reader, spender);

  /** How the token paid stores balances and allowances, for a trial. Without a sender there is no trial. */
  async function readLayout(
    block: Block,
    { sides, sender, signal }: MarketOptions,
  ): Promise<TokenStorage> {
    if (sides.isNativeIn || sender === undefined) return nothingKnown;
    return layouts.find(sides.tokenIn, { sender, block, signal });
  }

  /** Prepares curves, unless the search runs on the thread of long searches, which prepares its own. */
  async function learn(inReach: Market['pools']): Promise<void> {
    if (learned.has(inReach) || inReach.length > swapLimits.poolsSearchedServing.value) return;
    await memory.learn(
      inReach.map(({ state }) => state),
      clock,
    );
    learned.add(inReach);
  }

  async function readAt(
    block: Block,
    wanted: MarketOptions,
  ): Promise<Omit<Market, 'isRemembered'>> {
    const { sides, signal } = wanted;
    const passed = [sides.tokenIn, sides.tokenOut, ...tokensBetween(deployment, wanted)];
    const knownBefore = executor.deployment;
    const [found, infos, storage] = await Promise.all([
      marketPools.readAt(block, wanted),
      tokens.find(passed, { block, signal }),
      readLayout(block, wanted),
      executor.look(block, { signal }),
    ]);
    // Where the executor has just been found, more pools are within reach; the others are in memory.
    const isWhole = executor.deployment === knownBefore;
    const inReach = isWhole ? found : await marketPools.readAt(block, wanted);
    await learn(inReach);
    return { block, pools: inReach, tokens: infos, storage, memory };
  }

  /** Whoever invented the newest block is passed over the next time it is asked for [F66]. */
  async function readHead(wanted: MarketOptions, further = 2): Promise<Market> {
    const block = await reader.latestBlock(wanted);
    try {
      const market = { ...(await readAt(block, wanted)), isRemembered: false };
      pools.confirm(block);
      return market;
    } catch (error) {
      if (further === 0 || !isBlockUnknown(error)) throw error;
      return readHead(wanted, further - 1);
    }
  }

  return {
    get deployment() {
      return executor.deployment;
    },
    forgetExecutor: executor.forget,
    chooseRoute: createRouteChooser(options.searches),
    findPermit: createPermitFinder({ chainId: deployment.chainId, reader }),
    reader,
    rpcUrls,
    async readMarket(wanted) {
      const { isFresh, mostAgeMs, at } = wanted;
      const remembered = isFresh || at ? undefined : pools.newest(mostAgeMs);
      const block = at ?? remembered;
      if (block === undefined) return readHead(wanted);
      return { ...(await readAt(block, wanted)), isRemembered: remembered !== undefined };
    },
  };
}

/** The tokens that routes pass. */
function tokensBetween(
  { baseTokens, furtherTokens = [] }: ChainDeployment,
  { looksFurther }: MarketOptions,
): readonly Address[] {
  return looksFurther ? [...baseTokens, ...furtherTokens] : baseTokens;
}
