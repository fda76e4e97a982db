import { Agent } from 'undici';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import type { ChainReader } from '../../src/swap/chain/chain-reader.ts';
import { createJsonRpcChainReader } from '../../src/swap/chain/json-rpc/create-json-rpc-chain-reader.ts';

/** A reader of these endpoints with connections of its own. */
export function openChainReader(options: {
  urls: readonly string[];
  chainId?: number;
  clock?: Clock;
}): { reader: ChainReader; close(): Promise<void> } {
  const { urls, chainId = 1, clock = systemClock } = options;
  const dispatcher = new Agent();
  const endpointUrls = () => urls;
  const reader = createJsonRpcChainReader({ chainId, endpointUrls, dispatcher, clock });
  return { reader, close: () => dispatcher.destroy() };
}
