import { z } from 'zod';
import type { Address } from '../../../model/address.ts';
import type { BlockReference, Log } from '../../chain-reader.ts';
import { type EndpointFailure, isFailure } from '../endpoint-failure.ts';
import { readAnswer } from './read-answer.ts';
import type { RpcAnswer, RpcRequest } from './rpc-message.ts';
import { bytes, hash } from './rpc-values.ts';

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
