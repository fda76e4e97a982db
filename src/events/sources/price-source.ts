import type { ReportedPrice } from '../model/reported-price.ts';

export type PricedPair = {
  readonly chainId: number;
  readonly tokenIn: string;
  readonly tokenOut: string;
  /** In the smallest unit of the token given; one whole unit of it where it is left out. */
  readonly amount?: bigint | undefined;
};

export type PairTerms = {
  readonly thresholdBps: number;
  readonly intervalSeconds: number;
  readonly kinds: readonly ('price' | 'route')[];
  /** Where to go on from; undefined to begin with the next reading. */
  readonly lastReported: ReportedPrice | undefined;
};

/** What happened to a pair; with no kinds, what a watch begins with. */
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
  /** What a watch that begins now counts from; undefined where one of the two is no token. */
  readPair(pair: PricedPair, signal: AbortSignal): Promise<ReportedPrice | undefined>;
  /** Tells of changes until the answered function is called; one that is rejected comes again. */
  watchPair(
    watch: PricedPair & PairTerms,
    onChange: (change: PairChange, signal: AbortSignal) => Promise<void>,
  ): () => void;
  /** Tells whenever the endpoints of a chain have been measured. */
  watchRpcs(
    onRefreshed: (rpcs: { readonly chainId: number; readonly rpcUrls: readonly string[] }) => void,
  ): () => void;
};
