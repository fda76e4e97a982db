import { type SharedWork, shareWork } from '../../kernel/cancel/share-work.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Address } from '../address.ts';
import type { Block, ChainReader, ReadOptions } from '../chain/chain-reader.ts';
import { carryOver } from './carry-over.ts';
import type { PoolId, TickReach } from './pool.ts';
import type { PoolQuery, PoolReading } from './read-pools.ts';

/** The pools of one chain that are in use, as of its newest blocks. */
export type PoolCache = {
  /** The block of the latest reading, undefined before the first. */
  readonly block: Block | undefined;
  /** The same, but none where it was seen to be the head of the chain longer ago than `mostAgeMs`. */
  newest(mostAgeMs?: number): Block | undefined;
  /** Notes that a block is the head of the chain now. */
  confirm(head: Block): void;
  /**
   * What the block holds at each pool: from memory where that is proven to be of this very block,
   * else from the chain. From then on the pools are in use, unless `isUse` says of the answer that they
   * are of use to nobody. Throws as `readPools` does; rejects with the signal's reason when the caller
   * gives up, while the reading goes on for others.
   */
  readAt(
    block: Block,
    queries: readonly PoolQuery[],
    options?: ReadOptions & { isUse?(readings: ReadonlyMap<PoolId, PoolReading>): boolean },
  ): Promise<Map<PoolId, PoolReading>>;
  /** Whether the token is in a pool that is in use. */
  isInUse(token: Address): boolean;
  /** How many pools are in use: asked for within the lifetime. */
  readonly size: number;
  /** Reads all pools in use, as far as they were ever asked for, without that being a use of them. */
  advanceTo(block: Block, options?: ReadOptions): Promise<void>;
};

/** A pool at a block, with the reading that it is part of. */
type Entry = {
  readonly query: PoolQuery;
  readonly work: SharedWork<ReadonlyMap<PoolId, PoolReading>>;
};
type Entries = Map<PoolId, Entry>;

/** A quote that began on a block may end on it while newer ones arrive. */
const blocksKept = 3;

/**
 * A cache of at most `capacity` pools, each kept for `lifetimeMs` after its last use. From a block to
 * its child, by hash, pools are carried over by what they logged in it; wherever that is no proof,
 * and over every gap and reorganisation, they are read anew [Q16]. Callers who want the same pool at
 * the same block share one reading.
 */
export function createPoolCache(options: {
  reader: ChainReader;
  clock: Clock;
  capacity: number;
  lifetimeMs: number;
}): PoolCache {
  const { reader, clock, capacity, lifetimeMs } = options;
  const entriesByBlock = new Map<string, Entries>();
  const uses = new Map<PoolId, { query: PoolQuery; at: number }>();
  /** In how many of the pools in use each token is: every quote asks for two of them. */
  const poolsOfToken = new Map<Address, number>();
  let latest: { block: Block; order: number } | undefined;
  let readingsBegun = 0;
  let head: { hash: string; seenAt: number } | undefined;

  function entriesOf(block: Block): Entries {
    const known = entriesByBlock.get(block.hash);
    if (known !== undefined) return known;
    const entries: Entries = new Map();
    entriesByBlock.set(block.hash, entries);
    for (const hash of [...entriesByBlock.keys()].slice(0, -blocksKept))
      entriesByBlock.delete(hash);
    return entries;
  }

  function countTokens({ pool: { token0, token1 } }: PoolQuery, more: 1 | -1): void {
    for (const token of [token0, token1]) {
      const count = (poolsOfToken.get(token) ?? 0) + more;
      if (count > 0) poolsOfToken.set(token, count);
      else poolsOfToken.delete(token);
    }
  }

  function noteUse(queries: readonly PoolQuery[]): void {
    const now = clock.now();
    for (const query of queries) {
      const { id } = query.pool;
      const before = uses.get(id)?.query;
      if (before === undefined) countTokens(query, 1);
      // The order of a map is that of insertion: the pools of longest ago stand first.
      uses.delete(id);
      uses.set(id, {
        query: before !== undefined && covers(before, query) ? before : query,
        at: now,
      });
    }
    forgetUnused();
  }

  /** Of what nobody uses nothing is kept, or memory and the work for each block would grow with it [F12]. */
  function forget({ hash }: Block, queries: readonly PoolQuery[]): void {
    const entries = entriesByBlock.get(hash);
    for (const { pool } of queries) if (!uses.has(pool.id)) entries?.delete(pool.id);
  }

  function forgetUnused(): void {
    const now = clock.now();
    for (const [id, { query, at }] of uses) {
      if (uses.size <= capacity && at + lifetimeMs > now) break;
      uses.delete(id);
      countTokens(query, -1);
      for (const entries of entriesByBlock.values()) entries.delete(id);
    }
  }

  /** Begins to read what is not there yet, and enters it at once so that others join. */
  function enter(
    entries: Entries,
    { queries, block }: { queries: readonly PoolQuery[]; block: Block },
  ): void {
    const work = shareWork(async (signal) => {
      try {
        const atParent = await readParent(queries, { block, signal });
        return await carryOver(reader, { queries, atParent, block, signal });
      } catch (error) {
        // A failed reading is the caller's to report; the next caller shall try again.
        for (const { pool } of queries) {
          if (entries.get(pool.id)?.work === work) entries.delete(pool.id);
        }
        throw error;
      }
    });
    for (const query of queries) entries.set(query.pool.id, { query, work });
  }

  async function readParent(
    queries: readonly PoolQuery[],
    { block: { parentHash }, signal }: { block: Block; signal: AbortSignal },
  ): Promise<Map<PoolId, PoolReading>> {
    const entries = entriesByBlock.get(parentHash);
    const known = queries.flatMap((query) => findEntry(entries, query) ?? []);
    const readings = await readAll(known, signal).catch(() => undefined);
    signal.throwIfAborted();
    return readings ?? new Map();
  }

  async function read(
    block: Block,
    queries: readonly PoolQuery[],
    signal: AbortSignal | undefined,
  ): Promise<Map<PoolId, PoolReading>> {
    signal?.throwIfAborted();
    readingsBegun += 1;
    const order = readingsBegun;
    const entries = entriesOf(block);
    const missing = queries.filter((query) => findEntry(entries, query) === undefined);
    if (missing.length > 0) enter(entries, { queries: missing, block });
    const wanted = queries.flatMap(({ pool }) => entries.get(pool.id) ?? []);
    const readings = await readAll(wanted, signal);
    if (latest === undefined || order > latest.order) latest = { block, order };
    return readings;
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
      forgetUnused();
      return uses.size;
    },
    isInUse(token) {
      forgetUnused();
      return poolsOfToken.has(token);
    },
    async readAt(block, queries, { signal, isUse = () => true } = {}) {
      const readings = await read(block, queries, signal);
      if (isUse(readings)) noteUse(queries);
      else forget(block, queries);
      return readings;
    },
    async advanceTo(block, { signal } = {}) {
      forgetUnused();
      await read(
        block,
        [...uses.values()].map(({ query }) => query),
        signal,
      );
    },
  };
}

/** What was read, or is being read, and answers the query. */
function findEntry(entries: Entries | undefined, query: PoolQuery): Entry | undefined {
  const entry = entries?.get(query.pool.id);
  if (entry === undefined || entry.work.isAbandoned || !covers(entry.query, query))
    return undefined;
  return entry;
}

/** The readings of these pools; waits once for each reading that several of them are part of. */
async function readAll(
  entries: readonly Entry[],
  signal: AbortSignal | undefined,
): Promise<Map<PoolId, PoolReading>> {
  const works = [...new Set(entries.map(({ work }) => work))];
  const found = await Promise.all(works.map((work) => work.join(signal)));
  const foundBy = new Map(works.map((work, index) => [work, found[index]]));
  return new Map(
    entries.map(({ query: { pool }, work }) => {
      return [pool.id, foundBy.get(work)?.get(pool.id) ?? 'unreadable'];
    }),
  );
}

/** Whether a pool that was read for one query need not be read again for another. */
function covers({ reach: read }: PoolQuery, { reach: wanted }: PoolQuery): boolean {
  if (wanted === undefined) return true;
  return read !== undefined && isAtLeast(read, wanted);
}

function isAtLeast(reach: TickReach, other: TickReach): boolean {
  return (
    reach.wordsBelow >= other.wordsBelow &&
    reach.wordsAbove >= other.wordsAbove &&
    reach.ticksPerSide >= other.ticksPerSide
  );
}
