import { concat, encodeAbiParameters, parseAbiParameters } from 'viem/utils';
import {
  type BlockReference,
  type Call,
  type CallOutcome,
  type ChainReader,
  readCalls,
} from '../chain/chain-reader.ts';
import { compiledContracts } from '../chain/contracts/compiled-contracts.ts';
import { createPackedReader, type PackedReader } from '../chain/packed-calls.ts';
import { swapLimits } from '../limits.ts';
import { SwapError } from '../model.ts';
import type { Pool, PoolId, PoolState, TickReach } from './pool.ts';
import { poolKindOf } from './pool-kinds.ts';

/** A pool to read, and for a concentrated one how far; the usual reach by default. */
export type PoolQuery = { readonly pool: Pool; readonly reach?: TickReach };

/** What a block holds at a pool's address. `unreadable` is something that does not act like the pool. */
export type PoolReading = PoolState | 'absent' | 'unreadable';

export type ReadPoolsOptions = {
  readonly queries: readonly PoolQuery[];
  readonly block: BlockReference;
  readonly signal?: AbortSignal;
};

/**
 * What the block holds at the address of each pool, those that do not exist included. All pools
 * are read in one round trip; a further one is needed for those that did not fit into an answer, and
 * where a node gives a call less gas or room than most do.
 *
 * Needs no contract on the chain [Q11]: the reading contract is sent along. Throws as the reader does.
 */
export async function readPools(
  reader: ChainReader,
  { queries, block, signal }: ReadPoolsOptions,
): Promise<Map<PoolId, PoolReading>> {
  const readings = new Map<PoolId, PoolReading>();
  let groups = intoGroups(queries);
  while (groups.length > 0) {
    const options = { block, ...(signal === undefined ? {} : { signal }) };
    const asked = groups;
    const decode = (outcomes: readonly CallOutcome[]) =>
      asked.map((group, index) =>
        readAnswer(group, { outcome: outcomes[index], blockNumber: block.number }),
      );
    const answers = await readCalls(reader, asked.map(writeCall), { ...options, decode });
    const unanswered: PoolQuery[][] = [];
    for (const [index, group] of groups.entries()) {
      const found = answers[index] ?? [];
      for (const [position, reading] of found.entries()) {
        const query = group[position];
        if (query !== undefined) readings.set(query.pool.id, reading);
      }
      const rest = group.slice(found.length);
      const [first] = rest;
      if (first === undefined) continue;
      if (found.length > 0) unanswered.push(rest);
      else if (rest.length === 1) readings.set(first.pool.id, 'unreadable');
      else unanswered.push(...halves(rest));
    }
    groups = unanswered;
  }
  return readings;
}

/**
 * Groups of one kind, each no larger than an answer holds and no more work than one call may be. Neighbours go to
 * different groups: the pools of one pair tend to be busy together.
 */
function intoGroups(queries: readonly PoolQuery[]): PoolQuery[][] {
  const byKind = Map.groupBy(queries, ({ pool }) => poolKindOf(pool));
  return [...byKind].flatMap(([{ poolsPerCall }, ofKind]) => {
    const words = ofKind.reduce((sum, { reach }) => sum + wordsOf(reach), 0);
    const groups = Math.max(ofKind.length / poolsPerCall, words / mostWords);
    return deal(ofKind, Math.ceil(groups)).flatMap(withinWords);
  });
}

const mostWords = swapLimits.tickWordsPerCall.value;

/** On both sides of the price. Of pools that are read as far as usual, so many words as fit into an answer are few enough. */
function wordsOf(reach: TickReach | undefined): number {
  return reach === undefined ? 0 : reach.wordsBelow + reach.wordsAbove;
}

/** The group in parts that each read no more words than one call may. */
function withinWords(group: PoolQuery[]): PoolQuery[][] {
  const parts: PoolQuery[][] = [];
  let words = 0;
  for (const query of group) {
    words += wordsOf(query.reach);
    if (parts.length === 0 || words > mostWords) {
      parts.push([]);
      words = wordsOf(query.reach);
    }
    parts.at(-1)?.push(query);
  }
  return parts;
}

function deal<T>(items: readonly T[], groups: number): T[][] {
  return Array.from({ length: groups }, (_, group) =>
    items.filter((_item, index) => index % groups === group),
  );
}

function halves<T>(items: readonly T[]): [T[], T[]] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

function writeCall(queries: readonly PoolQuery[]): Call {
  const packed = concat(queries.map(({ pool, reach }) => poolKindOf(pool).query(pool, reach)));
  const input = encodeAbiParameters(parseAbiParameters('bytes'), [packed]);
  return { data: concat([compiledContracts.PoolReader, input]) };
}

/** The format of the answers that this program reads. */
const answerVersion = 1;

/** The readings of as many pools, from the first on, as the call has answered. */
function readAnswer(
  group: readonly PoolQuery[],
  { outcome, blockNumber }: { outcome: CallOutcome | undefined; blockNumber: bigint },
): PoolReading[] {
  if (outcome?.status !== 'returned') return [];
  const answer = createPackedReader(outcome.data);
  if (answer.remaining() === 0 || answer.number(1) !== answerVersion) {
    throw new SwapError(
      'UPSTREAM_ERROR',
      'The node does not run an eth_call without a receiver as a contract creation, so pools cannot be read through it.',
    );
  }
  const readings: PoolReading[] = [];
  for (const { pool } of group) {
    if (answer.remaining() === 0) break;
    readings.push(readReading(pool, { answer, blockNumber }));
  }
  return readings;
}

function readReading(
  pool: Pool,
  options: { answer: PackedReader; blockNumber: bigint },
): PoolReading {
  const found = options.answer.number(1);
  if (found === 0) return 'absent';
  if (found !== 1) return 'unreadable';
  return poolKindOf(pool).readState(pool, options);
}
