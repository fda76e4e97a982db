import { withDeadline } from '../kernel/cancel/with-deadline.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { Address } from './address.ts';
import { findServedChain } from './find-served-chain.ts';
import type { SwapUseCases } from './http/swap-use-cases.ts';
import { priceSwap } from './quote/price-swap.ts';
import { quoteSwap } from './quote/quote-swap.ts';
import type { RpcDirectory } from './rpc-endpoints/create-rpc-directory.ts';
import type { ServedChain } from './served-chain.ts';

export type SwapUseCasesOptions = {
  readonly chains: ReadonlyMap<number, ServedChain>;
  /** Tokens known by name beyond the base tokens of a chain. */
  readonly namedTokens: ReadonlyMap<number, readonly Address[]>;
  readonly directory: RpcDirectory;
  readonly clock: Clock;
  readonly metrics: Metrics;
};

// A caller who waits longer has given up; the reader's own budgets are shorter.
const quoteBudgetMs = 20_000;

/** What the interface offers, over the chains that are served. */
export function createSwapUseCases(options: SwapUseCasesOptions): SwapUseCases {
  const { chains, namedTokens, directory, clock, metrics } = options;
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
    help: 'Trials that received another amount than was computed.',
    labels: ['chain'],
  });

  return {
    async quote(request, { signal }) {
      const label = { chain: String(request.chainId) };
      const budget = { clock, milliseconds: quoteBudgetMs, signal };
      const quote = await withDeadline(budget, async (signal) => {
        const chain = await findServedChain(chains, request.chainId).open(signal);
        const onDifference = () => differences.inc(label);
        return quoteSwap(request, { chain, clock, signal, onDifference });
      });
      quotes.inc({ ...label, status: quote.status });
      return quote;
    },
    async price(request, { signal }) {
      const budget = { clock, milliseconds: quoteBudgetMs, signal };
      const price = await withDeadline(budget, async (signal) => {
        const chain = await findServedChain(chains, request.chainId).open(signal);
        return priceSwap(request, { chain, signal });
      });
      prices.inc({ chain: String(request.chainId), status: price.status });
      return price;
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
