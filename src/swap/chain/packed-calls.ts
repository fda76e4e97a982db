import type { Hex } from 'viem';
import { concat, encodeAbiParameters, numberToHex, parseAbiParameters, slice } from 'viem/utils';
import { type Address, SwapError } from '../model.ts';
import {
  type BlockReference,
  type Call,
  type CallOutcome,
  type ChainReader,
  type ReadOptions,
  readCalls,
} from './chain-reader.ts';
import { compiledContracts } from './contracts/compiled-contracts.ts';

/** Takes values one after the other from the front of packed bytes. */
export type PackedReader = {
  /** How many bytes are left. */
  remaining(): number;
  /** An unsigned number of at most 6 bytes. */
  number(size: number): number;
  unsigned(size: number): bigint;
  /** A number in two's complement of at most 6 bytes. */
  signed(size: number): number;
  bytes(size: number): Hex;
};

/** Every method throws `UPSTREAM_ERROR` when fewer bytes are left than it takes: the node cut them off. */
export function createPackedReader(packed: Hex): PackedReader {
  let offset = 2;

  function digits(size: number): string {
    const end = offset + 2 * size;
    if (end > packed.length) {
      throw new SwapError(
        'UPSTREAM_ERROR',
        `The node's answer is incomplete: ${size} bytes were expected and ${remaining()} are left.`,
      );
    }
    const taken = packed.slice(offset, end);
    offset = end;
    return taken;
  }

  function remaining(): number {
    return (packed.length - offset) / 2;
  }

  function number(size: number): number {
    return Number.parseInt(digits(size), 16);
  }

  return {
    remaining,
    number,
    unsigned: (size) => (size === 0 ? 0n : BigInt(`0x${digits(size)}`)),
    signed(size) {
      const value = number(size);
      return value < 2 ** (8 * size - 1) ? value : value - 2 ** (8 * size);
    },
    bytes: (size) => `0x${digits(size)}`,
  };
}

/** A call of `PoolReader.sol`, and how many words of its answer are wanted; one that gives fewer is refused. */
type WordsCall = { readonly to: Address; readonly data: Hex; readonly words: number };

/**
 * A query for kinds of pools whose state a few getters return. `PoolReader.sol` answers it with the words of all
 * calls in turn, 32 bytes each, if there is code at the pool's address. The data of a call has at most 255 bytes,
 * and a query at most 255 calls.
 */
export function writeCallsQuery(pool: Address, calls: readonly WordsCall[]): Hex {
  const packed = calls.flatMap(({ to, data, words }) => [
    to,
    numberToHex(words, { size: 1 }),
    numberToHex((data.length - 2) / 2, { size: 1 }),
    data,
  ]);
  return concat(['0x02', pool, numberToHex(calls.length, { size: 1 }), ...packed]);
}

type ContractCall = { readonly target: Address; readonly data: Hex };

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

/**
 * A call that returns the code hash of each of at most six addresses: a constructor that returns the hashes instead
 * of code. A node treats the answer as code, which must not begin with 0xEF (EIP-3541), so a zero byte comes first.
 */
export function codeHashesCall(addresses: readonly Address[]): Call {
  const stored = addresses.map(
    // push20 address, extcodehash, push1 place in memory, mstore
    (address, index) => `73${address.slice(2).toLowerCase()}3f60${byte(32 * (index + 1))}52`,
  );
  // push1 size, push1 31, return: the word before the hashes is zero
  return { data: `0x${stored.join('')}60${byte(1 + 32 * addresses.length)}601ff3` };
}

/**
 * The hashes in the outcome of {@link codeHashesCall}; undefined if the node did not run it. Throws `UPSTREAM_ERROR` for an answer
 * that the call cannot give.
 */
export function readCodeHashes(outcome: CallOutcome | undefined): readonly Hex[] | undefined {
  if (outcome?.status !== 'returned') return undefined;
  if (!/^0x00(?:[0-9a-f]{64}){1,6}$/i.test(outcome.data)) {
    throw new SwapError('UPSTREAM_ERROR', "The node's answer holds no code hashes.");
  }
  const count = (outcome.data.length - 4) / 64;
  return Array.from({ length: count }, (_, index) =>
    slice(outcome.data, 1 + 32 * index, 1 + 32 * (index + 1)),
  );
}

function byte(value: number): string {
  return value.toString(16).padStart(2, '0');
}
