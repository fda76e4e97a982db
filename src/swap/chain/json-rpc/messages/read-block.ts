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

const headerSchema = z.object({
  number: quantity,
  hash,
  parentHash: hash,
  timestamp: quantity,
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
