import type { Worker } from '../../../kernel/process/worker.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import type { ChainReader } from '../../chain/chain-reader.ts';
import { SwapError } from '../../model.ts';
import type { PoolCache } from './create-pool-cache.ts';

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
