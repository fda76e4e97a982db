import type { Worker } from '../../../kernel/process/worker.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import type { Block, ChainReader, ReadOptions } from '../../chain/chain-reader.ts';
import { type Address, SwapError } from '../../model.ts';
import type { PoolId } from '../pool.ts';
import type { PoolQuery, PoolReading } from '../read-pools.ts';
import { coversQuery, createBlockReadings } from './block-readings.ts';

/** The pools of one chain that are in use, as of its newest blocks. */
export type PoolCache = {
  /** The block of the latest reading, undefined before the first. */
  readonly block: Block | undefined;
  /** The same, but undefined if it was confirmed as the head of the chain longer ago than `mostAgeMs`. */
  newest(mostAgeMs?: number): Block | undefined;
  /** Notes that a block is the head of the chain now. */
  confirm(head: Block): void;
  /**
   * What the block holds at each pool: from memory if that is proven to be of this very block, else from the chain.
   * The pools are then in use, unless `isUse` denies it after the reading. Throws as `readPools` does; rejects with
   * the signal's reason when the caller gives up, while the reading goes on for others.
   */
  readAt(
    block: Block,
    queries: readonly PoolQuery[],
    options?: ReadOptions & { isUse?(readings: ReadonlyMap<PoolId, PoolReading>): boolean },
  ): Promise<Map<PoolId, PoolReading>>;
  /** Notes another use of what {@link readAt} gave for this block, without looking it up. */
  useAgain(block: Block, queries: readonly PoolQuery[]): void;
  /** Whether the token is in a pool that is in use. */
  isInUse(token: Address): boolean;
  /** How many pools are in use: asked for within the lifetime. */
  readonly size: number;
  /** Reads all pools in use, each as far as it was ever asked for. This does not count as a use. */
  advanceTo(block: Block, options?: ReadOptions): Promise<void>;
};

/**
 * A cache of at most `capacity` pools, each kept for `lifetimeMs` after its last use and proven to be of
 * the block that is asked for [Q16].
 */
export function createPoolCache(options: {
  reader: ChainReader;
  clock: Clock;
  capacity: number;
  lifetimeMs: number;
}): PoolCache {
  const { reader, clock, capacity, lifetimeMs } = options;
  const readings = createBlockReadings(reader);
  const onUnused = (id: PoolId) => readings.forget(id);
  const uses = createPoolUses({ clock, capacity, lifetimeMs, onUnused });
  let latest: { block: Block; order: number } | undefined;
  let readingsBegun = 0;
  let head: { hash: string; seenAt: number } | undefined;
  const notedAt = new WeakMap<readonly PoolQuery[], number>();

  /** The latest reading is the one that began last, in whichever order they end. */
  async function read(
    block: Block,
    queries: readonly PoolQuery[],
    signal: AbortSignal | undefined,
  ): Promise<Map<PoolId, PoolReading>> {
    signal?.throwIfAborted();
    readingsBegun += 1;
    const order = readingsBegun;
    const found = await readings.read(block, queries, signal);
    if (latest === undefined || order > latest.order) latest = { block, order };
    return found;
  }

  return {
    get block() {
      return latest?.block;
    },
    newest(mostAgeMs) {
      const block = latest?.block;
      if (mostAgeMs === undefined) return block;
      if (head === undefined || head.hash !== block?.hash) return undefined;
      return clock.elapsed() - head.seenAt <= mostAgeMs ? block : undefined;
    },
    confirm({ hash }) {
      head = { hash, seenAt: clock.elapsed() };
    },
    get size() {
      return uses.queries().length;
    },
    isInUse: (token) => uses.hasToken(token),
    async readAt(block, queries, { signal, isUse = () => true } = {}) {
      const found = await read(block, queries, signal);
      if (isUse(found)) uses.note(queries);
      // Pools that nobody uses are not kept: memory and the work for each block would grow with them [F12].
      else for (const { pool } of queries) if (!uses.has(pool.id)) readings.forget(pool.id, block);
      return found;
    },
    useAgain(block, queries) {
      readingsBegun += 1;
      latest = { block, order: readingsBegun };
      // A quote has hundreds of pools. Their lifetime is minutes, so it is enough to note a use once a second.
      const now = clock.elapsed();
      if (now - (notedAt.get(queries) ?? Number.NEGATIVE_INFINITY) < 1_000) return;
      notedAt.set(queries, now);
      uses.note(queries);
    },
    async advanceTo(block, { signal } = {}) {
      await read(block, uses.queries(), signal);
    },
  };
}

/** The pools in use: those asked for within the lifetime, and the widest query each was asked for with. */
type PoolUses = {
  /** Makes these the most recently used. */
  note(queries: readonly PoolQuery[]): void;
  has(id: PoolId): boolean;
  /** Whether a pool in use has the token. */
  hasToken(token: Address): boolean;
  /** The query of each pool in use. */
  queries(): readonly PoolQuery[];
};

/** Keeps at most `capacity` uses for `lifetimeMs` each, and reports every pool that is no longer in use. */
function createPoolUses(options: {
  clock: Clock;
  capacity: number;
  lifetimeMs: number;
  onUnused(id: PoolId): void;
}): PoolUses {
  const { clock, capacity, lifetimeMs, onUnused } = options;
  // A map keeps the order of insertion: the pools that were used longest ago come first.
  const uses = new Map<PoolId, { query: PoolQuery; at: number }>();
  /** How many of the pools in use have each token: every quote asks for two of them. */
  const poolsOfToken = new Map<Address, number>();

  function countTokens({ pool: { token0, token1 } }: PoolQuery, more: 1 | -1): void {
    for (const token of [token0, token1]) {
      const count = (poolsOfToken.get(token) ?? 0) + more;
      if (count > 0) poolsOfToken.set(token, count);
      else poolsOfToken.delete(token);
    }
  }

  function forgetUnused(): void {
    const now = clock.now();
    for (const [id, { query, at }] of uses) {
      if (uses.size <= capacity && at + lifetimeMs > now) break;
      uses.delete(id);
      countTokens(query, -1);
      onUnused(id);
    }
  }

  return {
    note(queries) {
      const at = clock.now();
      for (const query of queries) {
        const { id } = query.pool;
        const before = uses.get(id)?.query;
        if (before === undefined) countTokens(query, 1);
        const isWider = before !== undefined && coversQuery(before, query);
        uses.delete(id);
        uses.set(id, { query: isWider ? before : query, at });
      }
      forgetUnused();
    },
    has: (id) => uses.has(id),
    hasToken(token) {
      forgetUnused();
      return poolsOfToken.has(token);
    },
    queries() {
      forgetUnused();
      return [...uses.values()].map(({ query }) => query);
    },
  };
}

/**
 * Brings the pools in use over to each new block of a chain, so that a quote finds them in memory. Looks for a new
 * block every `pollMs`, but only while pools are in use: a chain that nobody uses is not read. A chain that cannot
 * be read is tried again at the next turn; its quotes report it.
 */
export function keepPoolsWarm(options: {
  reader: ChainReader;
  cache: PoolCache;
  clock: Clock;
  pollMs: number;
}): Worker {
  const { reader, cache, clock, pollMs } = options;
  return {
    name: `pools of chain ${reader.chainId}`,
    async run(signal) {
      while (!signal.aborted) {
        await clock.sleep(pollMs, signal);
        if (signal.aborted || cache.size === 0) continue;
        try {
          const block = await reader.latestBlock({ signal });
          if (block.hash !== cache.block?.hash) await cache.advanceTo(block, { signal });
          cache.confirm(block);
        } catch (error) {
          if (!(error instanceof SwapError) && !signal.aborted) throw error;
        }
      }
    },
  };
}
