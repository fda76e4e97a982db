import { z } from 'zod';
import type { Block } from '../../chain-reader.ts';
import { type EndpointFailure, isFailure } from '../endpoint-failure.ts';
import { readAnswer } from './read-answer.ts';
import type { RpcAnswer, RpcRequest } from './rpc-message.ts';
import { hash, quantity } from './rpc-values.ts';

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
