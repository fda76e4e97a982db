import type { ChainDeployment } from '../deployments/deployment.ts';
import type { Price, PriceRequest, Quote, QuoteRequest } from '../quote/quote.ts';
import type { TokenMetadata } from '../token-metadata.ts';

/** What the interface asks of the service behind it. All of them throw `UNSUPPORTED_CHAIN` and `UPSTREAM_ERROR`. */
export type SwapUseCases = {
  quote(request: QuoteRequest, options: { signal: AbortSignal }): Promise<Quote>;
  price(request: PriceRequest, options: { signal: AbortSignal }): Promise<Price>;
  chains(): Promise<readonly ServedChain[]>;
  /** The tokens of a chain that are known by name. */
  tokens(chainId: number, options: { signal: AbortSignal }): Promise<readonly TokenMetadata[]>;
};

/** A chain that is served; its `rpcUrls` are ranked, the best first. */
export type ServedChain = Pick<
  ChainDeployment,
  'chainId' | 'name' | 'nativeCurrency' | 'rpcUrls' | 'exchanges' | 'routers'
>;
