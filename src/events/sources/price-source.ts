import type { ReportedPrice } from '../model/reported-price.ts';

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
