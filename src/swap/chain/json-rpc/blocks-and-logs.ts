import { z } from 'zod';
import type { Address } from '../../model.ts';
import type { Block, BlockReference, Log } from '../chain-reader.ts';
import { type EndpointFailure, isFailure } from './rpc-failures.ts';
import {
  bytes,
  hash,
  quantity,
  type RpcAnswer,
  type RpcRequest,
  readAnswer,
} from './rpc-messages.ts';

export const latestBlockRequests: readonly RpcRequest[] = [
  { method: 'eth_getBlockByNumber', params: ['latest', false] },
  { method: 'eth_gasPrice', params: [] },
];

/** Beyond it no chain counts, and numbers of JavaScript skip some [F66]. */
const highestNumber = BigInt(Number.MAX_SAFE_INTEGER);
/** In seconds, in the year 19391: the deadline of a transaction, which has five bytes, is minutes later. */
const latestTime = 2n ** 39n;

const headerSchema = z.object({
  number: quantity.refine((number) => number <= highestNumber),
  hash,
  parentHash: hash,
  timestamp: quantity.refine((time) => time <= latestTime),
  gasLimit: quantity,
  baseFeePerGas: quantity.optional(),
});

/** The answers to {@link latestBlockRequests}. */
export function readBlock([header, price]: readonly RpcAnswer[]): Block | EndpointFailure {
  const block = readAnswer(header, headerSchema);
  if (isFailure(block)) return block;
  const gasPrice = readAnswer(price, quantity);
  if (isFailure(gasPrice)) return gasPrice;
  const { baseFeePerGas, ...rest } = block.value;
  return {
    ...rest,
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
    gasPrice: gasPrice.value,
  };
}

/** `eth_getLogs` by block hash (EIP-234): a node that does not have the block cannot answer "none". */
export function writeLogsRequest(
  addresses: readonly Address[],
  { hash: blockHash }: BlockReference,
): RpcRequest {
  return { method: 'eth_getLogs', params: [{ blockHash, address: addresses }] };
}

const logsSchema = z.array(
  z.object({ address: bytes, topics: z.array(hash), data: bytes, blockHash: hash }),
);

/** The answer to {@link writeLogsRequest}; refuses logs of other contracts and other blocks. */
export function readLogs(
  answer: RpcAnswer | undefined,
  options: { addresses: readonly Address[]; block: BlockReference },
): { readonly logs: readonly Log[] } | EndpointFailure {
  const parsed = readAnswer(answer, logsSchema);
  if (isFailure(parsed)) return parsed;
  const asked = new Map(options.addresses.map((address) => [address.toLowerCase(), address]));
  const logs: Log[] = [];
  for (const { address: text, topics, data, blockHash } of parsed.value) {
    const address = asked.get(text.toLowerCase());
    if (address === undefined || blockHash.toLowerCase() !== options.block.hash.toLowerCase()) {
      return { reason: 'garbage', message: 'the logs are not of the block or contracts asked for' };
    }
    logs.push({ address, topics, data });
  }
  return { logs };
}
