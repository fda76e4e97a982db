import type { Hex } from 'viem';
import type { Log } from '../chain/chain-reader.ts';
import type { PackedReader } from '../chain/packed-calls.ts';
import type { Address } from '../model.ts';
import type {
  CommonExchange,
  ExactInput,
  Pool,
  PoolState,
  Seen,
  SwapResult,
  TickReach,
} from './pool.ts';
import type { TradingCurve } from './trading-curve.ts';

/**
 * All that the rest of the program knows of a kind of pool [Q27]. A kind is one such record
 * with its functions, and a line in `pool-kinds.ts`; `docs/design/pools.md` says how to add one.
 *
 * A record gets only pools, states and exchanges of its own kind: callers look it up by their `kind`. All its
 * functions are pure.
 */
export type PoolKind<
  P extends Pool = Pool,
  State extends PoolState = PoolState,
  Exchange extends CommonExchange = CommonExchange,
> = {
  /** Every pool that an exchange can have for two tokens. Reading shows which of them exist. */
  discover(exchange: Exchange, options: PairToDiscover): P[];

  /** How many pools share one call: an answer holds 24,000 bytes. */
  readonly poolsPerCall: number;
  /** The query that `PoolReader.sol` answers with the pool's state. */
  query(pool: P, reach?: TickReach): Hex;
  /** Reads the state from the rest of an answer that found the pool. */
  readState(
    pool: P,
    options: { readonly answer: PackedReader; readonly blockNumber: bigint },
  ): State | 'absent' | 'unreadable';
  /** How far to read a pool again if its known ticks end before a trade does. Undefined where it is not read further. */
  reachBeyond?(state: State, zeroForOne: boolean): TickReach | undefined;
  /** How much is known of the pool in a direction, where ticks that were not read may hold more [F96]. */
  seenOf?(state: State, zeroForOne: boolean): Seen | undefined;

  /**
   * The pool after one log of it. Undefined when the log does not tell: the pool must then be read.
   * Left out where a pool may change without a log, as a vault's rate does: it is read at every block.
   */
  applyLog?(state: State, log: Log): State | undefined;
  /** Which logs of the pool's address are its own; all of them where this is left out. */
  isLogOf?(pool: P, log: Log): boolean;

  /** Swaps an exact input to the last unit of what the contract would do. Never throws [Q13]. */
  simulate(state: State, offer: ExactInput): SwapResult<State>;
  /** The same in float64 for the search, which may ask for more detail `around` an input. */
  curve(
    state: State,
    direction: { readonly zeroForOne: boolean; readonly around?: number },
  ): TradingCurve;
  /** Output for input of an infinitely small trade without fee. Zero or infinite where the pool is empty. */
  midPrice(state: State, zeroForOne: boolean): number;

  /** The gas of one hop, without the ticks that it crosses: for weighing routes before one is tried. */
  readonly gasOfHop: number;
  /** How many initialized ticks lie between two states. */
  ticksBetween?(before: State, after: State): number;
  /** What the first swap of a block writes in addition. A trial in the block of the last swap misses it. */
  readonly writesOnceABlock?: 'cumulative-prices' | 'observation' | 'timepoint';
  /** Set where a swap trades what has arrived, so that tokens which tax transfers work. */
  readonly tradesWhatArrives?: true;

  /**
   * Whether a swap runs code that may do anything, beside that of the pool: a hook, a plugin, a farm, a strategy, a coin.
   * Calls that can write nothing do not count. The pool then never pays the recipient directly [F29].
   */
  runsForeignCode(state: State): boolean;
  /** How the executor swaps in the pool; left out where it cannot. */
  encodeHop?(state: State, zeroForOne: boolean): ExecutorHop;
  /** The id by which people and explorers know the pool, if that is not its address. */
  publicId?(state: State): Hex;
  /** How Uniswap's routers name the pool; left out where they cannot swap in it. */
  uniswapLeg?(state: State): UniswapLeg;
};

export type PairToDiscover = {
  /** Two different tokens, in any order. */
  readonly tokens: readonly [Address, Address];
  /** The token that stands for the native currency, where the chain has one. */
  readonly wrappedNative?: Address | undefined;
};

/** What a program of the executor says of a hop beside the pool's address, its direction and its tokens. */
export type ExecutorHop = {
  /** The number of the kind in the contract: docs/design/executor.md lists them. */
  readonly number: number;
  /** Further bytes that the kind needs; none is `0x`. */
  readonly extra: Hex;
};

/** A pool in a path of a Uniswap router: a V3 pool is named by its fee, a pair by its tokens alone. */
export type UniswapLeg = { readonly version: 2 } | { readonly version: 3; readonly fee: number };
