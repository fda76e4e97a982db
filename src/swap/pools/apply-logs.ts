import type { Log } from '../chain/chain-reader.ts';
import { poolKindOf } from './pool-kinds.ts';
import type { PoolState } from './pool-state.ts';

/**
 * The state after a block, from the state before it and all that the pool logged in it, in order.
 * Undefined when the logs do not prove it, or pools of this kind change without a log: the
 * pool must then be read.
 */
export function applyLogs(
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
