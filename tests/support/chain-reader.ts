import { type Clock, systemClock } from '../../src/kernel/wait/clock.ts';
import type { ChainReader } from '../../src/swap/chain/chain-reader.ts';
import { createJsonRpcChainReader } from '../../src/swap/chain/json-rpc/json-rpc-chain-reader.ts';
import { createRpcTransport } from '../../src/swap/chain/json-rpc/rpc-transport.ts';

/** A reader of these endpoints with connections of its own. */
export function openChainReader(options: {
  urls: readonly string[];
  chainId?: number;
  clock?: Clock;
  isOurs?: boolean;
}): { reader: ChainReader; close(): Promise<void> } {
  const { urls, chainId = 1, clock = systemClock, isOurs } = options;
  const transport = createRpcTransport();
  const endpointUrls = () => urls;
  const reader = createJsonRpcChainReader({ chainId, endpointUrls, transport, clock, isOurs });
  return { reader, close: () => transport.destroy() };
}
