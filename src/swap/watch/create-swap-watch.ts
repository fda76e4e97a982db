import type { RpcDirectory } from '../rpc-endpoints/create-rpc-directory.ts';
import { createPriceWatch, type PriceWatch, type PriceWatchOptions } from './create-price-watch.ts';

/** The content of `rpcs refreshed`: at most five open endpoints of a chain, the best first. */
export type RefreshedRpcs = { readonly chainId: number; readonly rpcUrls: readonly string[] };

/** What changes in the swap service, for other parts of the process. */
export type SwapWatch = PriceWatch & {
  servesChain(chainId: number): boolean;
  /** Tells whenever the endpoints of a chain have been measured, until the answered function is called. */
  watchRpcs(onRefreshed: (refreshed: RefreshedRpcs) => void): () => void;
};

export type SwapWatchOptions = PriceWatchOptions & {
  readonly directory: Pick<RpcDirectory, 'knownUrls' | 'onRefreshed'>;
};

/** Joins the watch of prices and that of endpoints. */
export function createSwapWatch({ directory, ...options }: SwapWatchOptions): SwapWatch {
  return {
    ...createPriceWatch(options),
    servesChain: (chainId) => options.chains.has(chainId),
    watchRpcs: (onRefreshed) =>
      directory.onRefreshed((chainId) =>
        onRefreshed({ chainId, rpcUrls: directory.knownUrls(chainId) }),
      ),
  };
}
