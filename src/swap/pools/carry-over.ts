import type { Address } from '../address.ts';
import type { BlockReference, ChainReader, Log } from '../chain/chain-reader.ts';
import { SwapError } from '../swap-error.ts';
import { applyLogs } from './apply-logs.ts';
import { type PoolQuery, type PoolReading, readPools } from './read-pools.ts';

/**
 * The pools at a block, given what some of them were at its parent: those are brought over by what
 * they logged in the block, the others are read, both at once. Logs that do not prove a state, or that
 * the chain's endpoints do not give, cost a second round trip in which the state is read.
 *
 * Does not check that `atParent` is of the block's parent. Throws as {@link readPools} does.
 */
export async function carryOver(
  reader: ChainReader,
  options: {
    queries: readonly PoolQuery[];
    atParent: ReadonlyMap<Address, PoolReading>;
    block: BlockReference;
    signal: AbortSignal;
  },
): Promise<Map<Address, PoolReading>> {
  const { queries, atParent, block, signal } = options;
  const known = queries.filter(({ pool }) => atParent.has(pool.address));
  const unknown = queries.filter(({ pool }) => !atParent.has(pool.address));
  const [logs, readings] = await Promise.all([
    readLogs(reader, { addresses: known.map(({ pool }) => pool.address), block, signal }),
    readPools(reader, { queries: unknown, block, signal }),
  ]);
  const doubtful: PoolQuery[] = [];
  for (const query of known) {
    const { address } = query.pool;
    const reading = bringOver(atParent.get(address), { logs: logs?.get(address), block });
    if (reading === undefined) doubtful.push(query);
    else readings.set(address, reading);
  }
  const read = await readPools(reader, { queries: doubtful, block, signal });
  for (const [address, reading] of read) {
    readings.set(address, reading);
  }
  return readings;
}

/** Undefined where the logs cannot be had. */
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
  // Where nothing was, nothing has come as long as it says nothing: a new pool logs its first price
  // or reserves.
  return logs.length === 0 ? reading : undefined;
}
