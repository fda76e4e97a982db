import { SwapError } from '../../swap-error.ts';
import type { BlockReference, ChainReader } from '../chain-reader.ts';
import { callKey, logsKey, type Recording, readBlock } from './recording.ts';

/**
 * Answers from a recording and nothing else: the newest blocks one after the other, the last one
 * from then on, and every read that was recorded, in any order and grouping. Throws `SwapError`
 * `UPSTREAM_ERROR` for a read that is not in the recording.
 */
export function createRecordedChainReader(recording: Recording): ChainReader {
  const { chainId } = recording;
  const blocks = recording.blocks.map(readBlock);
  let asked = 0;

  function missing(what: string, block?: BlockReference): SwapError {
    const isKnown = block === undefined || blocks.some(({ hash }) => hash === block.hash);
    const message = `The recording of chain ${chainId} does not hold ${what}: record it anew.`;
    return new SwapError('UPSTREAM_ERROR', message, {
      details: { chainId, attempts: [], ...(isKnown ? {} : { blockUnknown: true }) },
    });
  }

  return {
    chainId,
    async latestBlock({ signal } = {}) {
      signal?.throwIfAborted();
      const block = blocks[Math.min(asked, blocks.length - 1)];
      if (block === undefined) throw missing('a block');
      asked += 1;
      return block;
    },
    async call(calls, { block, signal }) {
      signal?.throwIfAborted();
      return calls.map((call) => {
        const outcome = recording.calls[callKey(call, block)];
        if (outcome === undefined) throw missing('this call', block);
        return outcome;
      });
    },
    async logs(addresses, { block, signal }) {
      signal?.throwIfAborted();
      if (addresses.length === 0) return [];
      const logs = recording.logs[logsKey(addresses, block)];
      if (logs === undefined) throw missing('these logs', block);
      return logs;
    },
  };
}
