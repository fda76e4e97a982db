import { SwapError } from '../swap-error.ts';
import type { Block, ChainReader, ReadOptions } from './chain-reader.ts';

/**
 * Runs work whose reads are all of the newest block [Q16]. When a reorganisation takes that block away
 * before the work is done, the work is begun again on the new head, once: what it had read is void.
 */
export async function atLatestBlock<T>(
  reader: ChainReader,
  work: (block: Block) => Promise<T>,
  options: ReadOptions = {},
): Promise<T> {
  try {
    return await work(await reader.latestBlock(options));
  } catch (error) {
    if (!(error instanceof SwapError) || error.details?.blockUnknown !== true) throw error;
    return work(await reader.latestBlock(options));
  }
}
