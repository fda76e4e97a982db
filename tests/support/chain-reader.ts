import { Agent } from 'undici';
import { systemClock } from '../../src/kernel/clock.ts';
import type { ChainReader } from '../../src/swap/chain/chain-reader.ts';
import { createJsonRpcChainReader } from '../../src/swap/chain/json-rpc/create-json-rpc-chain-reader.ts';

/** A reader of these endpoints with connections of its own. */
export function openChainReader(options: {
  urls: readonly string[];
  chainId?: number;
  budgetMs?: number;
}): { reader: ChainReader; close(): Promise<void> } {
  const { urls, chainId = 1, ...rest } = options;
  const dispatcher = new Agent();
  const endpointUrls = () => urls;
  const reader = createJsonRpcChainReader({
    ...rest,
    chainId,
    endpointUrls,
    dispatcher,
    clock: systemClock,
  });
  return { reader, close: () => dispatcher.destroy() };
}
