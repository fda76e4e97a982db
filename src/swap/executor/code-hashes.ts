import type { Hex } from 'viem';
import { slice } from 'viem/utils';
import type { Address } from '../address.ts';
import type { Call, CallOutcome } from '../chain/chain-reader.ts';

/** A call that answers the hash of the code at each address: a constructor that returns it instead of code. */
export function codeHashesCall(addresses: readonly Address[]): Call {
  const stored = addresses.map(
    // push20 address, extcodehash, push1 place in memory, mstore
    (address, index) => `73${address.slice(2).toLowerCase()}3f60${byte(32 * index)}52`,
  );
  // push1 size, push1 0, return
  return { data: `0x${stored.join('')}60${byte(32 * addresses.length)}6000f3` };
}

/** What the outcome of {@link codeHashesCall} says; undefined where the node did not run it. */
export function readCodeHashes(outcome: CallOutcome | undefined): readonly Hex[] | undefined {
  if (outcome?.status !== 'returned') return undefined;
  const count = (outcome.data.length - 2) / 64;
  return Array.from({ length: count }, (_, index) =>
    slice(outcome.data, 32 * index, 32 * (index + 1)),
  );
}

function byte(value: number): string {
  return value.toString(16).padStart(2, '0');
}
