import type { Hex } from 'viem';
import { slice } from 'viem/utils';
import type { Address } from '../model/address.ts';
import { SwapError } from '../model/swap-error.ts';
import type { Call, CallOutcome } from './chain-reader.ts';

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
