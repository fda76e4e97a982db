import type { RateLimiter } from '../kernel/edge/rate-limiter.ts';
import type { Metrics } from '../kernel/telemetry/metrics.ts';
import { count } from '../kernel/text/text.ts';
import type { Clock } from '../kernel/wait/clock.ts';
import { createDeadlines, TimedOut, withDeadline } from '../kernel/wait/deadline.ts';
import { createQueue } from '../kernel/wait/queue.ts';
import { boundTurns } from '../kernel/wait/turns.ts';
import type { ChainDeployment } from './deployments/deployment.ts';
import { swapLimits } from './limits.ts';
import { type Address, SwapError, type TokenMetadata } from './model.ts';
import type { HistoryPair, PriceHistory, PricePoint } from './quote/create-price-history.ts';
import type { Price, PriceRequest, Quote, QuoteRequest } from './quote/quote.ts';
import type { QuoteChain } from './quote/quote-chain.ts';
import { priceSwap, quoteSwap } from './quote/quote-swap.ts';
import type { EndpointRecord } from './rpc-endpoints/rank-endpoints.ts';
import type { RpcDirectory } from './rpc-endpoints/rpc-directory.ts';
import { findServedChain, type ServedChain } from './served-chain.ts';

type SwapUseCasesOptions = {
  readonly chains: ReadonlyMap<number, ServedChain>;
  /** Tokens known by name beyond the base tokens of a chain. */
  readonly namedTokens: ReadonlyMap<number, readonly Address[]>;
  readonly directory: RpcDirectory;
  readonly history: PriceHistory;
  /** Rate limits on quotes of tokens that are not in memory: one for anonymous callers, one for callers with a token. */
  readonly coldLimiters: { readonly anonymous: RateLimiter; readonly withToken: RateLimiter };
  readonly clock: Clock;
  readonly metrics: Metrics;
};

// A caller who waits longer has given up; the reader's own budgets are shorter.
const quoteBudgetMs = 20_000;

/** The operations of the interface, over the chains that are served. */
export function createSwapUseCases(options: SwapUseCasesOptions): SwapUseCases {
  const { chains, namedTokens, directory, history, clock, metrics } = options;
  const compute = createQuoteQueue(options);
  const quotes = metrics.counter({
    name: 'swap_quotes_total',
    help: 'Quotes by chain and status.',
    labels: ['chain', 'status'],
  });
  const prices = metrics.counter({
    name: 'swap_prices_total',
    help: 'Prices by chain and status.',
    labels: ['chain', 'status'],
  });
  const differences = metrics.counter({
    name: 'swap_trial_differences_total',
    help: 'Trials that received a different amount than computed.',
    labels: ['chain'],
  });

  /** Keeps the mid price, which does not depend on the amount that somebody asked for. */
  function remember({ chainId }: PriceRequest, priced: Quote | Price): void {
    if (priced.status === 'NoRoute') return;
    const { swapPrice, priceImpact, blockNumber, tokenFrom, tokenTo } = priced;
    const pair = { chainId, tokenIn: tokenFrom.address, tokenOut: tokenTo.address };
    history.record(pair, { price: swapPrice / (1 - priceImpact), blockNumber });
  }

  return {
    async quote(request, options) {
      const label = { chain: String(request.chainId) };
      const onDifference = () => differences.inc(label);
      const quote = await compute(request, options, (at) =>
        quoteSwap(request, { ...at, clock, onDifference }),
      );
      quotes.inc({ ...label, status: quote.status });
      remember(request, quote);
      return quote;
    },
    async price(request, options) {
      const price = await compute(request, options, (at) => priceSwap(request, { ...at, clock }));
      prices.inc({ chain: String(request.chainId), status: price.status });
      remember(request, price);
      return price;
    },
    async history(pair) {
      findServedChain(chains, pair.chainId);
      return history.read(pair);
    },
    async endpoints(chainId) {
      findServedChain(chains, chainId);
      return directory.known(chainId);
    },
    async chains() {
      return [...chains.values()].map(({ deployment }) => ({
        ...deployment,
        rpcUrls: directory.knownUrls(deployment.chainId),
      }));
    },
    async tokens(chainId, { signal }) {
      const chain = findServedChain(chains, chainId);
      const named = namedTokens.get(chainId) ?? [];
      return chain.describeTokens([...new Set([...named, ...chain.deployment.baseTokens])], signal);
    },
  };
}

/** Runs `work` when it is the caller's turn. The time budget starts then. */
type QuoteQueue = <T>(
  request: PriceRequest,
  options: AskOptions,
  work: (at: { chain: QuoteChain; signal: AbortSignal }) => Promise<T>,
) => Promise<T>;

/**
 * Computes a few quotes at the same time and lets a bounded number wait. Refuses a caller over its limit before it waits.
 * Starts a burst of quotes over several turns of the event loop, so that `/health` does not wait for the whole burst [Q31].
 */
function createQuoteQueue(
  options: Pick<SwapUseCasesOptions, 'chains' | 'coldLimiters' | 'clock'>,
): QuoteQueue {
  const { chains, coldLimiters, clock } = options;
  const queue = createQueue(swapLimits.quotesAtOnce.value);
  const inTurn = boundTurns(clock);
  const deadlines = createDeadlines(clock);

  async function admit(request: PriceRequest, { key, hasToken }: QuoteCaller): Promise<void> {
    if (findServedChain(chains, request.chainId).isWarm(request)) return;
    const limiter = hasToken ? coldLimiters.withToken : coldLimiters.anonymous;
    const { isAllowed, limit, retryAfterSeconds } = await limiter.take(key);
    if (isAllowed) return;
    const what = `quotes of tokens without a pool in memory, more than ${limit} in a minute`;
    throw tooMany({ what, retryAfterSeconds: Math.ceil(retryAfterSeconds) });
  }

  /** Called at once before a quote waits: those that came with it count too [N23]. */
  function checkRoom(key: string): void {
    const { quotesWaiting, quotesWaitingEach } = swapLimits;
    if (queue.waiting >= quotesWaiting.value) {
      throw tooMany({ what: 'quotes are waiting', retryAfterSeconds: 1 });
    }
    if (queue.waitingOf(key) >= quotesWaitingEach.value) {
      throw tooMany({ what: 'quotes of one caller are waiting', retryAfterSeconds: 1 });
    }
  }

  return async (request, { signal, caller }, work) => {
    await admit(request, caller);
    checkRoom(caller.key);
    const budget = { deadlines, milliseconds: quoteBudgetMs, signal };
    const run = () =>
      withDeadline(budget, async (signal) => {
        const chain = await findServedChain(chains, request.chainId).open(signal);
        return work({ chain, signal });
      });
    return queue
      .pass(() => inTurn(run), { signal, key: caller.key })
      .catch((error: unknown) => {
        throw error instanceof TimedOut ? unanswered() : error;
      });
  };
}

function unanswered(): SwapError {
  return new SwapError(
    'UPSTREAM_ERROR',
    `The RPC endpoints of the chain did not answer all requests of this quote within ${quoteBudgetMs / 1_000} seconds; try again later.`,
  );
}

function tooMany(options: { what: string; retryAfterSeconds: number }): SwapError {
  const { what, retryAfterSeconds } = options;
  const message = `Too many ${what}: wait ${count(retryAfterSeconds, 'second')} and try again.`;
  return new SwapError('RATE_LIMITED', message, { details: { retryAfterSeconds } });
}

/** What the interface asks of the service behind it. All of them throw `UNSUPPORTED_CHAIN` and `UPSTREAM_ERROR`. */
export type SwapUseCases = {
  /** Throws `RATE_LIMITED` if the caller is over its limit. */
  quote(request: QuoteRequest, options: AskOptions): Promise<Quote>;
  /** Throws `RATE_LIMITED` as `quote` does. */
  price(request: PriceRequest, options: AskOptions): Promise<Price>;
  /** The prices of a pair that this process has seen, the oldest first. */
  history(pair: HistoryPair): Promise<readonly PricePoint[]>;
  /** What is known of the RPC endpoints of a chain, in the order of use. */
  endpoints(chainId: number): Promise<readonly EndpointRecord[]>;
  chains(): Promise<readonly ListedChain[]>;
  /** The tokens of a chain that are known by name. */
  tokens(chainId: number, options: { signal: AbortSignal }): Promise<readonly TokenMetadata[]>;
};

/** A chain that is served; its `rpcUrls` are ranked, the best first. */
export type ListedChain = Pick<
  ChainDeployment,
  'chainId' | 'name' | 'nativeCurrency' | 'rpcUrls' | 'exchanges' | 'routers'
>;

/** The caller of a quote: callers take turns, and each has its own limits. */
export type QuoteCaller = {
  /** The subject of the token, or the address if there is no token. */
  readonly key: string;
  readonly hasToken: boolean;
};

export type AskOptions = { readonly signal: AbortSignal; readonly caller: QuoteCaller };
