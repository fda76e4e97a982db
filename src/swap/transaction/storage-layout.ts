import type { Hex } from 'viem';
import { concat, encodeAbiParameters, keccak256, numberToHex, pad } from 'viem/utils';
import type { Address } from '../model/address.ts';

/** How a token contract lays out a mapping in its storage. */
export type StorageLayout =
  /** `keccak256(key . slot)`: Solidity; OpenZeppelin's namespaced storage is one with a large slot. */
  | { readonly kind: 'solidity'; readonly slot: bigint }
  /** `keccak256(slot . key)`: Vyper. */
  | { readonly kind: 'vyper'; readonly slot: bigint }
  /** Keys packed with a seed: Solady's ERC20. */
  | { readonly kind: 'solady' };

// The most that inherited variables were seen to push a mapping down in deployed tokens, with room.
const highestSlot = 60n;

// ERC20Upgradeable of OpenZeppelin 5 (ERC-7201 `openzeppelin.storage.ERC20`): balances, then allowances.
const namespacedStorage = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n;

// `_BALANCE_SLOT_SEED` and `_ALLOWANCE_SLOT_SEED` of Solady's ERC20.
const balanceSeed = '0x87a211a2';
const allowanceSeed = '0x7f5e9f20';

/** Every layout that is tried, the likeliest first. */
export const candidateLayouts: readonly StorageLayout[] = [
  ...slots(highestSlot).map((slot) => ({ kind: 'solidity', slot }) as const),
  { kind: 'solidity', slot: namespacedStorage },
  { kind: 'solidity', slot: namespacedStorage + 1n },
  ...slots(20n).map((slot) => ({ kind: 'vyper', slot }) as const),
  { kind: 'solady' },
];

function slots(count: bigint): bigint[] {
  return Array.from({ length: Number(count) }, (_, index) => BigInt(index));
}

/** Where a token with this layout of balances keeps the holder's. */
export function balanceSlot(layout: StorageLayout, holder: Address): Hex {
  if (layout.kind === 'solady') return keccak256(concat([holder, pad(balanceSeed, { size: 12 })]));
  return mappingSlot(layout.kind, numberToHex(layout.slot, { size: 32 }), holder);
}

/** Where a token with this layout of allowances keeps what the holder lets the spender take. */
export function allowanceSlot(layout: StorageLayout, holder: Address, spender: Address): Hex {
  if (layout.kind === 'solady') {
    return keccak256(concat([holder, pad(allowanceSeed, { size: 12 }), spender]));
  }
  const outer = mappingSlot(layout.kind, numberToHex(layout.slot, { size: 32 }), holder);
  return mappingSlot(layout.kind, outer, spender);
}

function mappingSlot(kind: 'solidity' | 'vyper', slot: Hex, key: Address): Hex {
  const words = [{ type: 'bytes32' }, { type: 'bytes32' }] as const;
  const padded = pad(key, { size: 32 });
  return keccak256(
    encodeAbiParameters(words, kind === 'solidity' ? [padded, slot] : [slot, padded]),
  );
}
