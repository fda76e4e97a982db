import type { Database } from '../kernel/database/database.ts';
import type { Mount } from '../kernel/edge/mount.ts';
import { createRateLimiter } from '../kernel/edge/rate-limiter.ts';
import type { Random } from '../kernel/model/random.ts';
import type { SettingValues } from '../kernel/process/settings.ts';
import type { Worker } from '../kernel/process/worker.ts';
import type { Logger } from '../kernel/telemetry/logger.ts';
import type { Metrics } from '../kernel/telemetry/metrics.ts';
import type { Clock } from '../kernel/wait/clock.ts';
import { createRpcTransport, observeRpc } from './chain/json-rpc/rpc-transport.ts';
import type { swapSettings } from './config.ts';
import type { ChainDeployment, DevelopmentChain } from './deployments/deployment.ts';
import { publicDeployments } from './deployments/public-deployments.ts';
import {
  type CountedAnswers,
  countAnswers,
  createSwapAnswers,
} from './http/create-swap-answers.ts';
import { createSwapMount } from './http/create-swap-mount.ts';
import { exampleTrade } from './http/examples.ts';
import { createUpstreamQuotes } from './http/upstream-quotes.ts';
import { coldQuotesOf, timesWithToken } from './limits.ts';
import { keepPoolsWarm } from './pools/cache/create-pool-cache.ts';
import { createPriceHistory } from './quote/create-price-history.ts';
import { createSearchThread } from './quote/search/create-search-thread.ts';
import { createRpcDirectory, type RpcDirectory } from './rpc-endpoints/rpc-directory.ts';
import { createServedChain } from './served-chain.ts';
import { createSwapUseCases } from './swap-use-cases.ts';
import { createPairReader } from './watch/pair-reader.ts';
import { createSwapWatch, type SwapWatch } from './watch/price-watch.ts';

export type SwapOptions = {
  readonly settings: SettingValues<typeof swapSettings>;
  /** The chain that this process runs itself, where it does. */
  readonly development?: DevelopmentChain | undefined;
  readonly database: Database;
  readonly publicUrl: URL;
  /** The subject of the valid token in a request. Callers without one are known by address only. */
  readonly subjectOf?: ((request: Request) => Promise<string | undefined>) | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
};

/** The swap service: its interface, its workers, and what to close at the end. */
export type Swap = {
  readonly mount: Mount;
  /** The answers of the interface, for other parts of the process that ask on behalf of a subject. */
  readonly answers: CountedAnswers;
  /** Changes of prices and endpoints, for the parts of the process that report them. */
  readonly watch: SwapWatch;
  readonly workers: readonly Worker[];
  close(): Promise<void>;
};

// Half the block time of the faster chains, so that a polled head is rarely outdated.
const headPollMs = 1_000;

/** Assembles the swap service. Sends nothing to any chain before the first request. */
export function createSwap(options: SwapOptions): Swap {
  const { settings, development, database, publicUrl, clock, metrics, logger } = options;
  const deployments = chooseDeployments(options);
  const directory = openDirectory(options, deployments);
  const transport = createRpcTransport(observeRpc(metrics));
  const searches = createSearches(options);
  const chains = new Map(
    deployments.map((deployment) => [
      deployment.chainId,
      createServedChain({
        deployment,
        directory,
        transport,
        database,
        clock,
        searches,
        isOurs: deployment === development?.deployment,
      }),
    ]),
  );
  const namedTokens = new Map(
    development ? [[development.deployment.chainId, development.tokens]] : [],
  );
  const history = createPriceHistory(clock);
  const watch = createSwapWatch({
    chains,
    directory,
    clock,
    pollMs: headPollMs,
    onReading: (pair, reading) => history.record(pair, reading),
    onProblem: (problem) => logger.error({ err: problem }, 'price not watched, will be retried'),
  });
  const { upstreamUrl } = settings;
  const limiters = createQuoteLimiters(options);
  const useCases = createSwapUseCases({
    chains,
    namedTokens,
    directory,
    history,
    coldLimiters: limiters.cold,
    clock,
    metrics,
  });
  const upstream = upstreamUrl
    ? { upstream: createUpstreamQuotes({ url: upstreamUrl, fetch, clock }) }
    : {};
  const authorized = options.subjectOf
    ? { authorized: { subjectOf: options.subjectOf, limiter: limiters.withToken } }
    : {};
  return {
    mount: createSwapMount({
      useCases,
      ...upstream,
      limiter: limiters.anonymous,
      ...authorized,
      clock,
      publicUrl,
      exampleTrade: exampleTrade(deployments, development),
    }),
    answers: countAnswers(
      { ...createSwapAnswers({ useCases, ...upstream }), pairPrice: createPairReader(chains) },
      limiters.withToken,
    ),
    watch,
    workers: [
      directory.worker,
      ...[...chains.values()].map(({ reader, pools }) =>
        keepPoolsWarm({ reader, cache: pools, clock, pollMs: headPollMs }),
      ),
    ],
    async close() {
      await watch.close();
      await searches.thread.close();
      await transport.close();
    },
  };
}

/**
 * The development chain, then the public chains; only the chosen ones if `TRADEWIND_CHAINS` is set.
 * Warns of chosen chains that are not known, unless an upstream may know them.
 */
function chooseDeployments({ settings, development, logger }: SwapOptions): ChainDeployment[] {
  const all = [...(development ? [development.deployment] : []), ...publicDeployments];
  const chosen = all.filter(({ chainId }) => settings.chains?.includes(chainId) ?? true);
  const absent = settings.chains?.filter((id) => !chosen.some(({ chainId }) => chainId === id));
  if (absent?.length && settings.upstreamUrl === undefined) {
    logger.warn({ chains: absent }, 'TRADEWIND_CHAINS names chains that are not known here');
  }
  return chosen;
}

/** The thread for long searches, and a counter of searches by thread. */
function createSearches({ clock, metrics, logger }: SwapOptions) {
  const searches = metrics.counter({
    name: 'swap_searches_total',
    help: 'Route searches by the thread they ran on: the serving thread or the search thread.',
    labels: ['thread'],
  });
  const onProblem = (problem: unknown) =>
    logger.error(
      { err: problem },
      'the search thread failed, the search runs on the serving thread',
    );
  return {
    thread: createSearchThread({ clock, onProblem }),
    onSearch: (thread: string) => searches.inc({ thread }),
  };
}

/** Rate limiters: for all quotes of a caller, and for quotes that must read the chain first. */
function createQuoteLimiters({ settings, database, clock }: SwapOptions) {
  const limiter = (name: string, perMinute: number) =>
    createRateLimiter({ database, clock, name, perMinute });
  const quotes = settings.rateLimit;
  const cold = coldQuotesOf(quotes);
  return {
    anonymous: limiter('quotes', quotes),
    withToken: limiter('quotes-with-token', quotes * timesWithToken),
    cold: {
      anonymous: limiter('cold-quotes', cold),
      withToken: limiter('cold-quotes-with-token', cold * timesWithToken),
    },
  };
}

function openDirectory(
  { settings, development, database, clock, random, logger }: SwapOptions,
  deployments: readonly ChainDeployment[],
): RpcDirectory {
  return createRpcDirectory({
    chains: deployments.map((deployment) => {
      const { chainId, rpcUrls: registered } = deployment;
      return deployment === development?.deployment
        ? { chainId, own: [development.ownUrl], registered, development: true }
        : { chainId, own: settings.rpc.get(chainId) ?? [], registered };
    }),
    database,
    fetch,
    clock,
    random,
    onProblem: (problem) => logger.warn({ err: problem }, 'RPC endpoints not saved'),
  });
}
