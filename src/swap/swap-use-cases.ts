import type { ChainDeployment } from './deployments/deployment.ts';
import type { TokenMetadata } from './model/token-metadata.ts';
import type { HistoryPair, PricePoint } from './quote/create-price-history.ts';
import type { Price, PriceRequest, Quote, QuoteRequest } from './quote/quote.ts';
import type { EndpointRecord } from './rpc-endpoints/endpoint-record.ts';

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
