import type { BlockReference, ChainReader, Log } from '../../chain/chain-reader.ts';
import { type Address, SwapError } from '../../model.ts';
import type { Pool, PoolId, PoolState } from '../pool.ts';
import { poolKindOf } from '../pool-kinds.ts';
import { type PoolQuery, type PoolReading, readPools } from '../read-pools.ts';

/**
 * The pools at a block, given the state of some of them at its parent. Those are updated from their
 * logs in the block, and at the same time the others are read. If the logs do not prove a state, or no
 * endpoint returns them, a second round trip reads the state.
 *
 * Does not check that `atParent` is of the block's parent. Throws as {@link readPools} does.
 */
export async function carryOver(
  reader: ChainReader,
  options: {
    queries: readonly PoolQuery[];
    atParent: ReadonlyMap<PoolId, PoolReading>;
    block: BlockReference;
    signal: AbortSignal;
  },
): Promise<Map<PoolId, PoolReading>> {
  const { queries, atParent, block, signal } = options;
  const isKnown = ({ pool }: PoolQuery) => atParent.has(pool.id) && tellsChanges(pool);
  const known = queries.filter(isKnown);
  const unknown = queries.filter((query) => !isKnown(query));
  const addresses = [...new Set(known.map(({ pool }) => pool.address))];
  const [logs, readings] = await Promise.all([
    readLogs(reader, { addresses, block, signal }),
    readPools(reader, { queries: unknown, block, signal }),
  ]);
  const doubtful: PoolQuery[] = [];
  for (const query of known) {
    const { pool } = query;
    const reading = bringOver(atParent.get(pool.id), { logs: logs && logsOf(pool, logs), block });
    if (reading === undefined) doubtful.push(query);
    else readings.set(pool.id, reading);
  }
  const read = await readPools(reader, { queries: doubtful, block, signal });
  for (const [id, reading] of read) readings.set(id, reading);
  return readings;
}

/** Whether pools of this kind log every change. */
function tellsChanges(pool: Pool): boolean {
  return poolKindOf(pool).applyLog !== undefined;
}

function logsOf(pool: Pool, logs: ReadonlyMap<Address, Log[]>): readonly Log[] {
  const ofAddress = logs.get(pool.address) ?? [];
  const kind = poolKindOf(pool);
  return kind.isLogOf ? ofAddress.filter((log) => kind.isLogOf?.(pool, log)) : ofAddress;
}

/** Undefined if no endpoint returns the logs. */
async function readLogs(
  reader: ChainReader,
  options: { addresses: readonly Address[]; block: BlockReference; signal: AbortSignal },
): Promise<Map<Address, Log[]> | undefined> {
  const { addresses, ...at } = options;
  const byAddress = new Map<Address, Log[]>(addresses.map((address) => [address, []]));
  try {
    for (const log of await reader.logs(addresses, at)) byAddress.get(log.address)?.push(log);
  } catch (error) {
    if (!(error instanceof SwapError)) throw error;
    return undefined;
  }
  return byAddress;
}

function bringOver(
  reading: PoolReading | undefined,
  { logs, block }: { logs: readonly Log[] | undefined; block: BlockReference },
): PoolReading | undefined {
  if (reading === undefined || logs === undefined) return undefined;
  if (typeof reading === 'object') return applyLogs(reading, { logs, blockNumber: block.number });
  // A pool that was absent or unreadable remains so while it logs nothing: a new pool logs its first
  // price or reserves.
  return logs.length === 0 ? reading : undefined;
}

/**
 * The state after a block, from the state before it and all that the pool logged in it, in order.
 * Undefined when the logs do not prove it, or pools of this kind change without a log: the
 * pool must then be read.
 */
function applyLogs(
  state: PoolState,
  { logs, blockNumber }: { logs: readonly Log[]; blockNumber: bigint },
): PoolState | undefined {
  const kind = poolKindOf(state);
  if (kind.applyLog === undefined) return undefined;
  let after: PoolState | undefined = state;
  for (const log of logs) {
    after = kind.applyLog(after, log);
    if (after === undefined) return undefined;
  }
  return { ...after, blockNumber };
}
