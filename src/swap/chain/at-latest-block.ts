import { SwapError } from '../swap-error.ts';
import type { Block, ChainReader, ReadOptions } from './chain-reader.ts';

/**
 * Runs work whose reads are all of the newest block [Q16]. When a reorganisation takes that block away
 * before the work is done, the work is begun again on the new head, once: what it had read is void.
 *
 * With a `remembered` block the work begins on it at once, while the head is being asked for: if it is
 * still the head, which it mostly is, asking has cost no time; if not, the work is done again.
 */
export async function atLatestBlock<T>(
  reader: ChainReader,
  work: (block: Block) => Promise<T>,
  { remembered, ...options }: ReadOptions & { remembered?: Block | undefined } = {},
): Promise<T> {
  const early = remembered === undefined ? undefined : Promise.allSettled([work(remembered)]);
  const head = await reader.latestBlock(options);
  try {
    if (early === undefined || head.hash !== remembered?.hash) return await work(head);
    const [outcome] = await early;
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  } catch (error) {
    if (!(error instanceof SwapError) || error.details?.blockUnknown !== true) throw error;
    return work(await reader.latestBlock(options));
  }
}
