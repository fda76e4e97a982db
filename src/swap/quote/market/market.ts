import type { Block } from '../../chain/chain-reader.ts';
import type { Address, TokenMetadata } from '../../model.ts';
import type { Pool, PoolId, TickReach } from '../../pools/pool.ts';
import type { PoolState } from '../../pools/pool-state.ts';
import type { TokenStorage } from '../../transaction/storage-layout.ts';
import type { QuoteRequest } from '../quote.ts';
import type { SwapSides } from '../swap-sides.ts';
import type { RoutingMemory } from './create-routing-memory.ts';

/** What a quote between two tokens needs to know of a chain, all of it of one block [Q16]. */
export type Market = {
  readonly block: Block;
  /** Whether the block comes from memory, and may no longer be the newest. */
  readonly isRemembered: boolean;
  readonly pools: readonly MarketPool[];
  /** The two tokens and every token that a route may pass. */
  readonly tokens: ReadonlyMap<Address, TokenMetadata>;
  /** How the token paid stores balances and allowances. */
  readonly storage: TokenStorage;
  /** What searches over the pools of this chain have prepared. */
  readonly memory: RoutingMemory;
};

export type MarketPool = { readonly pool: Pool; readonly state: PoolState };

export type MarketOptions = {
  readonly sides: SwapSides;
  /** Without one, the storage layout of the token paid is not read. */
  readonly sender?: QuoteRequest['sender'];
  /** Whether routes may pass the further tokens of the chain, too [Q50]. */
  readonly looksFurther?: boolean | undefined;
  /** Pools whose ticks are read further than usual. */
  readonly reaches?: ReadonlyMap<PoolId, TickReach> | undefined;
  /** Ask for the newest block instead of using the one that was last seen. */
  readonly isFresh: boolean;
  /** Take a block from memory only if it was confirmed as the newest within this time. */
  readonly mostAgeMs?: number;
  /** The block to read, where the caller has chosen one. */
  readonly at?: Block;
  readonly signal: AbortSignal;
};
