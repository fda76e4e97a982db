import type { RpcDirectory } from '../rpc-endpoints/create-rpc-directory.ts';
import { createPriceWatch, type PriceWatch, type PriceWatchOptions } from './create-price-watch.ts';

/** The content of `rpcs refreshed`: at most five open endpoints of a chain, the best first. */
export type RefreshedRpcs = { readonly chainId: number; readonly rpcUrls: readonly string[] };

/** The watches of the swap service, for other parts of the process. */
export type SwapWatch = PriceWatch & {
  servesChain(chainId: number): boolean;
  /**
   * Calls back after each measurement of a chain's endpoints, until the returned function is
   * called.
   */
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
