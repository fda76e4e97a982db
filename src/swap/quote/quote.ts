import type { Address, TokenMetadata } from '../model.ts';
import type { Permit, PermitKind } from '../permit.ts';

/**
 * What a caller asks of a price: an exact amount of one token for as much as possible of another, or as
 * little as possible of one for at least an amount of the other.
 */
export type PriceRequest = RouteChoice & {
  readonly chainId: number;
  /** The native token is written as {@link nativeToken}, on either side. */
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** Absent where `amountOut` is given. */
  readonly amountIn?: bigint | undefined;
  /** What the recipient must get at least. */
  readonly amountOut?: bigint | undefined;
  /** The gas price that routing uses, in wei; by default that of the chain. */
  readonly gasPrice?: bigint | undefined;
  /** The share of the output that goes to an integrator, in billionths; only our executor pays it. */
  readonly fee?: bigint | undefined;
  /** How much more input to offer for `amountOut` in case the price moves; none by default. */
  readonly maxSlippage?: Slippage | undefined;
};

/** Which exchanges and routers of a chain a route may use; all of them unless said otherwise. */
export type RouteChoice = {
  /** Names of exchanges: these alone. */
  readonly dexes?: readonly string[] | undefined;
  /** Names of exchanges: none of these. */
  readonly excludeDexes?: readonly string[] | undefined;
  /** A kind of router. */
  readonly router?: string | undefined;
};

/** What a caller asks of a quote: a price, and a transaction that a sender can sign. */
export type QuoteRequest = PriceRequest & {
  readonly maxSlippage: Slippage;
  readonly sender: Address;
  /** Who receives the output; the sender unless said otherwise. */
  readonly recipient?: Address | undefined;
  /** Who receives the fee, where there is one. */
  readonly feeRecipient?: Address | undefined;
  /** Which signature replaces an approval of the input; `auto` takes the best that the token and the chain support. */
  readonly permit?: PermitKind | 'auto' | undefined;
};

/** A fraction from 0 to 1, exactly as its decimal text said: 0.005 is 5/1000. */
export type Slippage = { readonly numerator: bigint; readonly denominator: bigint };

/** The answer to a {@link QuoteRequest}, every figure of it of one block. */
export type Quote = RoutedQuote | UnroutedQuote;

/** The answer to a {@link PriceRequest}, computed at one block and without a trial. */
export type Price = RoutedPrice | UnroutedQuote;

type CommonQuote = {
  readonly tokenFrom: TokenMetadata;
  readonly tokenTo: TokenMetadata;
  readonly blockNumber: bigint;
  /** At most five, the best first. */
  readonly rpcUrls: readonly string[];
};

export type UnroutedQuote = CommonQuote & {
  readonly status: 'NoRoute';
  /** Why there is none, in a sentence for people. */
  readonly reason: string;
};

/** `Partial` when the pools cannot take the whole amount: the amounts then speak of the part they can. */
export type RoutedPrice = CommonQuote & {
  readonly status: 'Successful' | 'Partial';
  /** Whole units of the output for one whole unit of the input. */
  readonly swapPrice: number;
  /** One minus execution price over mid price at the same block. */
  readonly priceImpact: number;
  readonly amountIn: bigint;
  /** What is spent at most, where an output was asked for: all of `amountIn`. */
  readonly maxAmountIn?: bigint;
  /** What the recipient gets: the fee is taken off. */
  readonly expectedAmountOut: bigint;
  /** What the integrator gets of the output, where a fee was asked for. */
  readonly feeAmount?: bigint;
  /** Every token of the route, the two ends included. */
  readonly tokens: readonly TokenMetadata[];
  readonly route: readonly RouteLeg[];
  readonly optimality: Optimality;
};

export type RoutedQuote = RoutedPrice & {
  readonly minAmountOut: bigint;
  readonly tx: QuoteTransaction;
  /** Calls to sign before `tx`, in order; empty when the allowance is enough. */
  readonly approval: readonly QuoteCall[];
  /** What to sign; append the signature to the data of `tx`. */
  readonly permit?: Permit;
  /** Set where the node could not try the transaction, so that no figure here was seen [F68]. */
  readonly issues?: { readonly simulationIncomplete: true };
  /** When the deadline in the transaction passes, in milliseconds since the epoch. */
  readonly validUntil: number;
};

export type QuoteCall = {
  readonly from: Address;
  readonly to: Address;
  readonly data: `0x${string}`;
  readonly value: bigint;
};

export type QuoteTransaction = QuoteCall & {
  readonly gas: bigint;
  readonly gasPrice: bigint;
  /** What publishing to the parent chain adds, in wei, on chains that charge for it. */
  readonly l1Fee?: bigint;
};

/** One pool of one path: legs of a path share its number and are in order. */
export type RouteLeg = {
  readonly path: number;
  readonly pool: Address;
  /** Which of the pools at that address, where it holds many. */
  readonly poolId?: `0x${string}`;
  readonly exchange: string;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** The part of the whole input that enters this path, from 0 to 1. */
  readonly share: number;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
};

/** How far from the best possible over all pools that were read the route can be at most. */
export type Optimality = {
  /** No routing over these pools, as far as they were read, can give more, before gas. */
  readonly upperBound: bigint;
  readonly gapBps: number;
  /** How many pools were read: all of them count in the bound, also those that the route could not use [Q48]. */
  readonly pools: number;
  /** How many of them were not read to the end of what such a trade may reach; what lies beyond does not count. */
  readonly poolsCutOff: number;
  /**
   * How much pools that were not read could add at most, in basis points of the best output, if none of them has a better
   * price than all that were read [Q50].
   */
  readonly unreadBps: number;
  /** Whether the search used up its steps: there may be a better route under this bound [Q50]. */
  readonly isCutShort: boolean;
  /** What routing counted for the gas of the route, in units of the output token. */
  readonly gasCost: bigint;
};
