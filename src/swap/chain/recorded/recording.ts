import { numberToHex } from 'viem/utils';
import type { Address } from '../../address.ts';
import type { Block, BlockReference, Call, CallOutcome, Log } from '../chain-reader.ts';
import { writeLogsRequest } from '../json-rpc/read-logs.ts';
import { blockParameter, writeCall } from '../json-rpc/write-call.ts';

/** What was read from a chain, as plain JSON: a file of it replays a quote without a network. */
export type Recording = {
  readonly chainId: number;
  /** The newest blocks in the order they were asked for. */
  readonly blocks: readonly RecordedBlock[];
  readonly calls: Readonly<Record<string, CallOutcome>>;
  readonly logs: Readonly<Record<string, readonly Log[]>>;
};

/** A block with its numbers in hexadecimal, since JSON has no integers of their size. */
export type RecordedBlock = {
  readonly [Field in keyof Block]: Block[Field] extends bigint | undefined
    ? `0x${string}`
    : Block[Field];
};

/** The key of a call at a block: the JSON-RPC request that would make it. */
export function callKey(call: Call, block: BlockReference): string {
  return JSON.stringify(writeCall(call, blockParameter(block, true)).params);
}

export function logsKey(addresses: readonly Address[], block: BlockReference): string {
  return JSON.stringify(writeLogsRequest(addresses, block).params);
}

export function writeBlock({
  number,
  timestamp,
  gasLimit,
  gasPrice,
  baseFeePerGas,
  ...hashes
}: Block): RecordedBlock {
  return {
    ...hashes,
    number: numberToHex(number),
    timestamp: numberToHex(timestamp),
    gasLimit: numberToHex(gasLimit),
    gasPrice: numberToHex(gasPrice),
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas: numberToHex(baseFeePerGas) }),
  };
}

export function readBlock({
  number,
  timestamp,
  gasLimit,
  gasPrice,
  baseFeePerGas,
  ...hashes
}: RecordedBlock): Block {
  return {
    ...hashes,
    number: BigInt(number),
    timestamp: BigInt(timestamp),
    gasLimit: BigInt(gasLimit),
    gasPrice: BigInt(gasPrice),
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas: BigInt(baseFeePerGas) }),
  };
}
