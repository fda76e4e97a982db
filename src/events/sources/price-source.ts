import type { Clock } from '../../kernel/wait/clock.ts';
import { withDeadline } from '../../kernel/wait/deadline.ts';
import type { Application } from '../model/application.ts';
import { parsePairTarget, swapOptionsOf } from '../model/application-options.ts';
import type { Subscription } from '../model/subscription.ts';
import { type ReportedPrice, writeReported } from '../store/price-watch-store.ts';

export type PricedPair = {
  readonly chainId: number;
  readonly tokenIn: string;
  readonly tokenOut: string;
  /** In the smallest unit of the token that is sold; defaults to one whole unit of it. */
  readonly amount?: bigint | undefined;
};

export type PairTerms = {
  readonly thresholdBps: number;
  readonly intervalSeconds: number;
  readonly kinds: readonly ('price' | 'route')[];
  /** What to compare with; undefined to begin with the next reading. */
  readonly lastReported: ReportedPrice | undefined;
};

/** A change of a pair; without kinds it is the reading that a watch begins with. */
export type PairChange = {
  readonly kinds: readonly ('price' | 'route')[];
  readonly reading: {
    readonly blockNumber: bigint;
    readonly blockHash: string;
    readonly amountIn: bigint;
    readonly amountOut: bigint;
    readonly price: number;
    readonly route: readonly (readonly string[])[];
  };
  readonly before: ReportedPrice | undefined;
  readonly lastReported: ReportedPrice;
};

/** Where prices and their changes come from. The swap service is one; composition hands it in. */
export type PriceSource = {
  servesChain(chainId: number): boolean;
  /**
   * The price that a watch beginning now compares with; undefined if one of the two addresses is
   * not a token.
   */
  readPair(pair: PricedPair, signal: AbortSignal): Promise<ReportedPrice | undefined>;
  /**
   * Reports changes until the returned function is called. If `onChange` rejects, the change is
   * reported again.
   */
  watchPair(
    watch: PricedPair & PairTerms,
    onChange: (change: PairChange, signal: AbortSignal) => Promise<void>,
  ): () => void;
  /** Reports whenever the RPC endpoints of a chain have been measured. */
  watchRpcs(
    onRefreshed: (rpcs: { readonly chainId: number; readonly rpcUrls: readonly string[] }) => void,
  ): () => void;
};

/** How long a create waits for the chain; a quote takes less. */
const startBudgetMs = 5_000;

/**
 * Reads the price that a new subscription to a pair compares with first, so that a move right after its creation is not
 * missed. If the chain does not answer now, the subscription starts with its first reading.
 */
export function createPairStart(options: {
  readonly prices: Pick<PriceSource, 'servesChain' | 'readPair'>;
  readonly clock: Clock;
}): NonNullable<Application['onCreate']> {
  const { prices, clock } = options;
  return async (subscription, signal) => {
    const pair = toPricedPair(subscription);
    if (pair === undefined || !prices.servesChain(pair.chainId)) return undefined;
    const lastReported = await withDeadline(
      { clock, milliseconds: startBudgetMs, signal },
      (patience) => prices.readPair(pair, patience),
    ).catch(() => undefined);
    if (lastReported === undefined) return undefined;
    return async (tx) => {
      await writeReported(tx, { id: subscription.id, before: undefined, lastReported });
    };
  };
}

/** The pair that a subscription watches, with the amount that it asks for. */
export function toPricedPair({
  targetResource,
  options,
}: Pick<Subscription, 'targetResource' | 'options'>): PricedPair | undefined {
  const pair = parsePairTarget(targetResource);
  const amount = swapOptionsOf(options)?.amount;
  return pair === undefined || amount === undefined ? pair : { ...pair, amount: BigInt(amount) };
}
