import type { Hex } from 'viem';
import { concat, encodeAbiParameters, parseAbiParameters } from 'viem/utils';
import type { Address } from '../model/address.ts';
import { SwapError } from '../model/swap-error.ts';
import {
  type BlockReference,
  type CallOutcome,
  type ChainReader,
  type ReadOptions,
  readCalls,
} from './chain-reader.ts';
import { compiledContracts } from './contracts/compiled-contracts.ts';
import { createPackedReader } from './packed-reader.ts';

export type ContractCall = { readonly target: Address; readonly data: Hex };

/** `ok` is false if the call failed or there is no contract; `data` is cut off after 512 bytes. */
export type ContractAnswer = { readonly ok: boolean; readonly data: Hex };

/** More than a getter takes, and little enough that a hundred of them fit into any node's call. */
const gasPerCall = 200_000n;
/** Sixteen words: a string of fourteen, or two numbers and a short list. */
const longestData = 512;
/** Few enough that their answers fit into the 24,000 bytes that one request returns. */
const callsPerRequest = 40;

const parameters = parseAbiParameters('(address target, bytes data)[], uint256, uint256');

/**
 * Calls many contracts at one block, in one round trip and without a helper contract on the chain
 * [Q11]. Answers are cut off after 512 bytes, and each call has the gas of a getter. Throws as the
 * reader does, and `UPSTREAM_ERROR` if the node leaves answers out.
 */
export async function callMany(
  reader: ChainReader,
  options: ReadOptions & { calls: readonly ContractCall[]; block: BlockReference },
): Promise<ContractAnswer[]> {
  const { calls, block, signal } = options;
  const groups: ContractCall[][] = [];
  for (let start = 0; start < calls.length; start += callsPerRequest) {
    groups.push(calls.slice(start, start + callsPerRequest));
  }
  const requests = groups.map((group) => ({ data: encodeCalls(group) }));
  return readCalls(reader, requests, {
    block,
    ...(signal === undefined ? {} : { signal }),
    decode: (outcomes) => readAll(outcomes, calls.length),
  });
}

function readAll(outcomes: readonly CallOutcome[], count: number): ContractAnswer[] {
  const answers = outcomes.flatMap((outcome) => {
    return outcome.status === 'returned' ? readAnswers(outcome.data) : [];
  });
  if (answers.length === count) return answers;
  throw new SwapError(
    'UPSTREAM_ERROR',
    `The node answered only ${answers.length} of ${count} batched calls: its gas limit for eth_call is too low, or it does not run an eth_call without a receiver.`,
  );
}

/** The data of a call without a receiver that makes these calls, at most forty. */
export function encodeCalls(calls: readonly ContractCall[]): Hex {
  const input = encodeAbiParameters(parameters, [calls, gasPerCall, BigInt(longestData)]);
  return concat([compiledContracts.CallMany, input]);
}

/** The answer to {@link encodeCalls}. Throws `UPSTREAM_ERROR` for what no node can have got from them. */
export function readAnswers(data: Hex): ContractAnswer[] {
  const packed = createPackedReader(data);
  const answers: ContractAnswer[] = [];
  if (packed.remaining() > 0) packed.number(1);
  while (packed.remaining() > 0) {
    const ok = packed.number(1) === 1;
    answers.push({ ok, data: packed.bytes(packed.number(2)) });
  }
  return answers;
}
