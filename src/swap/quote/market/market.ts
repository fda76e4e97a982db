import type { Address } from '../../address.ts';
import type { Block } from '../../chain/chain-reader.ts';
import type { Pool, PoolId, TickReach } from '../../pools/pool.ts';
import type { PoolState } from '../../pools/pool-state.ts';
import type { TokenMetadata } from '../../token-metadata.ts';
import type { TokenStorage } from '../../transaction/probe-storage-layout.ts';
import type { QuoteRequest } from '../quote.ts';
import type { SwapSides } from '../swap-sides.ts';
import type { RoutingMemory } from './create-routing-memory.ts';

/** What a quote between two tokens needs to know of a chain, all of it of one block [Q16]. */
export type Market = {
  readonly block: Block;
  /** Whether the block was the newest when last looked, and may not be any more. */
  readonly isRemembered: boolean;
  readonly pools: readonly MarketPool[];
  /** The two tokens and every token that a route may pass. */
  readonly tokens: ReadonlyMap<Address, TokenMetadata>;
  /** How the token given keeps balances and allowances. */
  readonly storage: TokenStorage;
  /** What searches over the pools of this chain have prepared. */
  readonly memory: RoutingMemory;
};

export type MarketPool = { readonly pool: Pool; readonly state: PoolState };

export type MarketOptions = {
  readonly sides: SwapSides;
  /** Without one, how the token given keeps balances is not looked at. */
  readonly sender?: QuoteRequest['sender'];
  /** Pools whose ticks are read further than usual. */
  readonly reaches?: ReadonlyMap<PoolId, TickReach>;
  /** The newest block is asked for, instead of taking the one that was last seen. */
  readonly isFresh: boolean;
  /** A block that was seen to be the newest longer ago than this is not taken from memory. */
  readonly mostAgeMs?: number;
  /** The block to read, where the caller has chosen one. */
  readonly at?: Block;
  readonly signal: AbortSignal;
};
