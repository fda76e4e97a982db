import { z } from 'zod';
import { swapLimits } from '../../limits.ts';
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

/** The answers to {@link latestBlockRequests}. Refuses a gas price that nobody should pay, or none could be included at [F94]. */
export function readBlock(
  [header, price]: readonly RpcAnswer[],
  highestGasPrice: bigint = BigInt(swapLimits.gasPrice.value),
): Block | EndpointFailure {
  const block = readAnswer(header, headerSchema);
  if (isFailure(block)) return block;
  const suggested = readAnswer(price, quantity);
  if (isFailure(suggested)) return suggested;
  const { baseFeePerGas, ...rest } = block.value;
  const [lowest, highest] = gasPricesAt(baseFeePerGas, highestGasPrice);
  const gasPrice = suggested.value;
  if (gasPrice > highest || gasPrice < lowest / toleratedFall) {
    const ofBase = baseFeePerGas === undefined ? '' : ` at a base fee of ${baseFeePerGas}`;
    return { reason: 'garbage', message: `its gas price of ${gasPrice} wei is absurd${ofBase}` };
  }
  return {
    ...rest,
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
    gasPrice: gasPrice < lowest ? lowest : gasPrice,
  };
}

/** The price is asked for in the same batch, but a node may answer it of a later block, whose base fee fell. */
const toleratedFall = 2n;

/** The lowest price that the next block takes, and the highest that an honest node suggests. */
function gasPricesAt(baseFee: bigint | undefined, most: bigint): readonly [bigint, bigint] {
  if (baseFee === undefined) return [0n, most];
  const { gasPriceOfBaseFee, gasTip } = swapLimits;
  const highest = baseFee * BigInt(gasPriceOfBaseFee.value) + BigInt(gasTip.value);
  return [baseFee, highest < most ? highest : most];
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
