import type { Address } from '../model.ts';
import type { Exchange } from '../pools/pool-kinds.ts';

/** A chain and what is deployed on it: data with a source for each fact. */
export type ChainDeployment = {
  readonly chainId: number;
  readonly name: string;
  readonly nativeCurrency: {
    readonly name: string;
    readonly symbol: string;
    readonly decimals: number;
  };
  /**
   * The token that stands for the native currency in pools. Absent where there is none (SKALE): the
   * native currency cannot be swapped there.
   */
  readonly wrappedNative?: Address;
  /**
   * Set where the native currency is that token (Celo): there is nothing to wrap or unwrap, and
   * paying in it takes an allowance instead of value sent along.
   */
  readonly nativeIsToken?: true;
  /** Tokens that routes may pass through, the wrapped native token among them. */
  readonly baseTokens: readonly Address[];
  /** Tokens that routes may pass as well where base tokens lead nowhere, or to a bad price [Q50]. */
  readonly furtherTokens?: readonly Address[];
  /** Open public endpoints, in no order: they are ranked by measurement. */
  readonly rpcUrls: readonly string[];
  /** How the chain charges for publishing to its parent chain, if the gas used does not include it. */
  readonly l1Fee?: 'op-stack' | 'arbitrum' | 'scroll';
  /** The most wei that a unit of gas may cost, where that is more than the limit for all chains. */
  readonly highestGasPrice?: number;
  /** Every one of them is reached by one of the routers, or by our executor once it is deployed. */
  readonly exchanges: readonly Exchange[];
  readonly routers: readonly Router[];
  /** Where the facts above, other than those of exchanges and routers, come from. */
  readonly source: string;
};

/** A contract that executes routes over the exchanges it is bound to. */
export type Router = {
  /**
   * `swap-router-02` is Uniswap's SwapRouter02 or one with the same calls, and mixes V2 and V3 paths
   * where it is bound to both; `v2-router` knows constant-product paths only. `tradewind` is our own
   * executor, bound to no exchange.
   */
  readonly kind: 'swap-router-02' | 'v2-router' | 'tradewind';
  readonly address: Address;
  /**
   * Names of exchanges. Being deployed beside an exchange is not enough: most SwapRouter02 were built
   * before Uniswap V2 came to their chain and do not know its factory.
   */
  readonly exchanges: readonly string[];
  readonly source: string;
};

/** The id that development chains usually have. */
export const developmentChainId = 31337;

/** A chain that runs in this process for development: fresh at each start, known to no registry. */
export type DevelopmentChain = {
  readonly deployment: ChainDeployment;
  /** Where this server itself answers for the chain. */
  readonly rpcUrl: string;
  /** The same with credentials by which the chain knows this server's own calls; never shown. */
  readonly ownUrl: string;
  readonly tokens: readonly Address[];
  /** An account that holds every token. */
  readonly account: Address;
};
