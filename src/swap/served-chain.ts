import type { Database } from '../kernel/database/database.ts';
import type { Clock } from '../kernel/wait/clock.ts';
import type { ChainReader } from './chain/chain-reader.ts';
import { createJsonRpcChainReader } from './chain/json-rpc/json-rpc-chain-reader.ts';
import type { RpcTransport } from './chain/json-rpc/rpc-transport.ts';
import type { ChainDeployment } from './deployments/deployment.ts';
import { swapLimits } from './limits.ts';
import { type Address, SwapError, type TokenMetadata } from './model.ts';
import { createPoolCache, type PoolCache } from './pools/cache/create-pool-cache.ts';
import { createQuoteChain } from './quote/create-quote-chain.ts';
import type { QuoteRequest } from './quote/quote.ts';
import type { QuoteChain } from './quote/quote-chain.ts';
import type { RouteChooserOptions } from './quote/search/create-route-chooser.ts';
import { swapSides } from './quote/swap-sides.ts';
import type { RpcDirectory } from './rpc-endpoints/rpc-directory.ts';
import { createTokenDirectory } from './tokens/token-directory.ts';

type ServedChainOptions = {
  readonly deployment: ChainDeployment;
  readonly directory: RpcDirectory;
  readonly transport: RpcTransport;
  readonly database: Database;
  readonly clock: Clock;
  /** Where routes are searched for; by default on the calling thread. */
  readonly searches?: RouteChooserOptions;
  /** Set for the chain that this process runs itself. */
  readonly isOurs?: boolean;
};

/** One chain with its reader and its caches. */
export type ServedChain = {
  readonly deployment: ChainDeployment;
  readonly reader: ChainReader;
  readonly pools: PoolCache;
  /** Whether both tokens are in pools that are in memory, so that a quote has little to read. */
  isWarm(pair: Pick<QuoteRequest, 'tokenIn' | 'tokenOut'>): boolean;
  /** The chain for a quote, once its endpoints are known. */
  open(signal: AbortSignal): Promise<QuoteChain>;
  describeTokens(
    tokens: readonly Address[],
    signal: AbortSignal,
  ): Promise<readonly TokenMetadata[]>;
};

// Enough for the pools of some hundred pairs, a few kilobytes each at most.
const poolsKept = swapLimits.poolsKept.value;
const poolLifetimeMs = 300_000;
const rankedEveryMs = 1_000;
const tokensKept = swapLimits.tokensKept.value;

/** Assembles the reader and the caches of a chain. Sends nothing to the chain before the first read. */
export function createServedChain(options: ServedChainOptions): ServedChain {
  const { deployment, directory, transport, database, clock } = options;
  const { chainId } = deployment;
  let endpointUrls: readonly string[] = [];
  let rpcUrls: readonly string[] = [];
  let foundAt = Number.NEGATIVE_INFINITY;
  const reader = createJsonRpcChainReader({
    chainId,
    endpointUrls: () => endpointUrls,
    transport,
    clock,
    isOurs: options.isOurs,
    highestGasPrice:
      deployment.highestGasPrice === undefined ? undefined : BigInt(deployment.highestGasPrice),
  });
  const pools = createPoolCache({ reader, clock, capacity: poolsKept, lifetimeMs: poolLifetimeMs });
  const tokens = createTokenDirectory({
    reader,
    database,
    clock,
    capacity: tokensKept,
  });
  const quoteChain = createQuoteChain({
    deployment,
    reader,
    pools,
    tokens,
    clock,
    rpcUrls: () => rpcUrls,
    searches: options.searches,
  });

  /** Ranks endpoints at most once a second: every quote asks, but they are measured once an hour. */
  async function findEndpoints(signal: AbortSignal): Promise<void> {
    if (clock.elapsed() - foundAt < rankedEveryMs) return;
    endpointUrls = await directory.endpointsOf(chainId, signal);
    rpcUrls = await directory.recommendedUrls(chainId, signal);
    foundAt = clock.elapsed();
  }

  return {
    get deployment() {
      return quoteChain.deployment;
    },
    reader,
    pools,
    isWarm(pair) {
      const { tokenIn, tokenOut } = swapSides(deployment, pair);
      return pools.isInUse(tokenIn) && pools.isInUse(tokenOut);
    },
    async open(signal) {
      await findEndpoints(signal);
      return quoteChain;
    },
    async describeTokens(wanted, signal) {
      await findEndpoints(signal);
      const block = await reader.latestBlock({ signal });
      const infos = await tokens.find(wanted, { block, signal });
      return wanted.flatMap((token) => infos.get(token) ?? []);
    },
  };
}

/** The served chain of this id. Throws `UNSUPPORTED_CHAIN`, with the served chains in its details. */
export function findServedChain<Chain>(chains: ReadonlyMap<number, Chain>, chainId: number): Chain {
  const chain = chains.get(chainId);
  if (chain !== undefined) return chain;
  throw new SwapError(
    'UNSUPPORTED_CHAIN',
    `Chain ${chainId} is not served here: GET /v1/chains (tradewind chains) lists those that are.`,
    { details: { chainId, servedChains: [...chains.keys()] } },
  );
}
