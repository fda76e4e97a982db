import type { Address } from '../address.ts';

/** A chain and what is deployed on it: data with a source for each fact. */
export type ChainDeployment = {
  readonly chainId: number;
  readonly name: string;
  readonly nativeCurrency: {
    readonly name: string;
    readonly symbol: string;
    readonly decimals: number;
  };
  readonly wrappedNative: Address;
  /** Tokens that routes may pass through, the wrapped native token among them. */
  readonly baseTokens: readonly Address[];
  /** Absent where the chain has no Multicall3: batches then run deployless. */
  readonly multicall3?: Address;
  /** Open public endpoints, in no order: they are ranked by measurement. */
  readonly rpcUrls: readonly string[];
  readonly exchanges: readonly Exchange[];
  readonly routers: readonly Router[];
  /** How the chain charges for publishing to its parent chain, if it does. */
  readonly l1Fee?: 'op-stack' | 'arbitrum' | 'scroll';
};

export type Exchange = ConstantProductExchange | ConcentratedExchange;

type CommonExchange = {
  /** Unique on the chain, in kebab case: `uniswap-v3`. */
  readonly name: string;
  readonly factory: Address;
  /** The account that CREATE2 addresses of pools count from, where it is not the factory. */
  readonly poolDeployer?: Address;
  readonly initCodeHash: `0x${string}`;
  /** Where these facts come from. */
  readonly source: string;
};

export type ConstantProductExchange = CommonExchange & {
  readonly kind: 'constant-product';
  readonly feeNumerator: number;
  readonly feeDenominator: number;
};

export type ConcentratedExchange = CommonExchange & {
  readonly kind: 'concentrated';
  readonly feeTiers: readonly { readonly fee: number; readonly tickSpacing: number }[];
};

/** A contract that executes routes over the exchanges it is bound to. */
export type Router = {
  /** `swap-router-02` mixes V2 and V3 paths; `v2-router` knows constant-product paths only. */
  readonly kind: 'swap-router-02' | 'v2-router';
  readonly address: Address;
  readonly exchanges: readonly string[];
  readonly source: string;
};
