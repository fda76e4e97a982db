import type { CallOutcome, ChainReader, Log } from '../chain-reader.ts';
import { callKey, logsKey, type RecordedBlock, type Recording, writeBlock } from './recording.ts';

/** Reads through another reader and keeps what it answered; failures are passed on, not kept. */
export function recordChainReader(source: ChainReader): ChainReader & { recording(): Recording } {
  const blocks: RecordedBlock[] = [];
  const calls: Record<string, CallOutcome> = {};
  const logs: Record<string, readonly Log[]> = {};
  return {
    chainId: source.chainId,
    async latestBlock(options) {
      const block = await source.latestBlock(options);
      blocks.push(writeBlock(block));
      return block;
    },
    async call(requests, options) {
      const outcomes = await source.call(requests, options);
      for (const [index, outcome] of outcomes.entries()) {
        const request = requests[index];
        if (request !== undefined) calls[callKey(request, options.block)] = outcome;
      }
      return outcomes;
    },
    async logs(addresses, options) {
      const found = await source.logs(addresses, options);
      logs[logsKey(addresses, options.block)] = found;
      return found;
    },
    recording: () => structuredClone({ chainId: source.chainId, blocks, calls, logs }),
  };
}
