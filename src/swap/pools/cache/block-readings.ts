import { type SharedWork, shareWork } from '../../../kernel/wait/shared-work.ts';
import type { Block, ChainReader } from '../../chain/chain-reader.ts';
import type { PoolId, TickReach } from '../pool.ts';
import type { PoolQuery, PoolReading } from '../read-pools.ts';
import { carryOver } from './carry-over.ts';

/** What was read, or is being read, of pools at the newest blocks. */
type BlockReadings = {
  /**
   * What the block holds at each pool. Callers who want the same pool at the same block share one
   * reading. Rejects with the signal's reason when the caller gives up, while the reading goes on for others.
   */
  read(
    block: Block,
    queries: readonly PoolQuery[],
    signal: AbortSignal | undefined,
  ): Promise<Map<PoolId, PoolReading>>;
  /** Drops what is known of a pool, at one block or at all of them. */
  forget(id: PoolId, block?: Block): void;
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
 * Reads pools at blocks. From a block to its child, by hash, pools are updated from their logs; wherever these do
 * not determine the state, and over every gap and reorganisation, they are read again [Q16].
 */
export function createBlockReadings(reader: ChainReader): BlockReadings {
  const entriesByBlock = new Map<string, Entries>();

  function entriesOf(block: Block): Entries {
    const known = entriesByBlock.get(block.hash);
    if (known !== undefined) return known;
    const entries: Entries = new Map();
    entriesByBlock.set(block.hash, entries);
    for (const hash of [...entriesByBlock.keys()].slice(0, -blocksKept))
      entriesByBlock.delete(hash);
    return entries;
  }

  /** Starts to read the pools that are missing, and enters the reading at once so that other callers join it. */
  function enter(
    entries: Entries,
    { queries, block }: { queries: readonly PoolQuery[]; block: Block },
  ): void {
    const work = shareWork(async (signal) => {
      try {
        const atParent = await readKnown(entriesByBlock.get(block.parentHash), queries, signal);
        return await carryOver(reader, { queries, atParent, block, signal });
      } catch (error) {
        // This caller reports the failure; the next one tries again.
        for (const { pool } of queries) {
          if (entries.get(pool.id)?.work === work) entries.delete(pool.id);
        }
        throw error;
      }
    });
    for (const query of queries) entries.set(query.pool.id, { query, work });
  }

  return {
    async read(block, queries, signal) {
      const entries = entriesOf(block);
      const missing = queries.filter((query) => findEntry(entries, query) === undefined);
      if (missing.length > 0) enter(entries, { queries: missing, block });
      const wanted = queries.flatMap(({ pool }) => entries.get(pool.id) ?? []);
      return await readAll(wanted, signal);
    },
    forget(id, block) {
      if (block !== undefined) entriesByBlock.get(block.hash)?.delete(id);
      else for (const entries of entriesByBlock.values()) entries.delete(id);
    },
  };
}

/** The entry, read or being read, that answers the query. */
function findEntry(entries: Entries | undefined, query: PoolQuery): Entry | undefined {
  const entry = entries?.get(query.pool.id);
  if (entry === undefined || entry.work.isAbandoned || !coversQuery(entry.query, query))
    return undefined;
  return entry;
}

/** The readings that are known of these pools; none if one of them failed. */
async function readKnown(
  entries: Entries | undefined,
  queries: readonly PoolQuery[],
  signal: AbortSignal,
): Promise<Map<PoolId, PoolReading>> {
  const known = queries.flatMap((query) => findEntry(entries, query) ?? []);
  const readings = await readAll(known, signal).catch(() => undefined);
  signal.throwIfAborted();
  return readings ?? new Map();
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
export function coversQuery({ reach: read }: PoolQuery, { reach: wanted }: PoolQuery): boolean {
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
