import type { Log } from '../chain/chain-reader.ts';
import { applyConcentratedLog } from './concentrated/decode.ts';
import { applyConstantProductLog } from './constant-product/decode.ts';
import type { PoolState } from './pool-state.ts';

/**
 * The state after a block, from the state before it and all that the pool logged in it, in order.
 * Undefined when the logs do not prove it: the pool must then be read.
 */
export function applyLogs(
  state: PoolState,
  { logs, blockNumber }: { logs: readonly Log[]; blockNumber: bigint },
): PoolState | undefined {
  let after: PoolState | undefined = state;
  for (const log of logs) {
    after =
      after.kind === 'concentrated'
        ? applyConcentratedLog(after, log)
        : applyConstantProductLog(after, log);
    if (after === undefined) return undefined;
  }
  return { ...after, blockNumber };
}
