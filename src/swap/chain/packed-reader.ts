import type { Hex } from 'viem';
import { concat, numberToHex } from 'viem/utils';
import type { Address } from '../model/address.ts';
import { SwapError } from '../model/swap-error.ts';

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
