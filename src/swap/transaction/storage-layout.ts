import type { Hex } from 'viem';
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  hexToBigInt,
  keccak256,
  numberToHex,
  pad,
} from 'viem/utils';
import { createBoundedMap } from '../../kernel/wait/remembered.ts';
import {
  type Block,
  type Call,
  type CallOutcome,
  type ChainReader,
  readCalls,
} from '../chain/chain-reader.ts';
import { encodeCalls, readAnswers } from '../chain/packed-calls.ts';
import { swapLimits } from '../limits.ts';
import { type Address, SwapError } from '../model.ts';
import { tokenAbi } from '../tokens/token-abi.ts';

/** How tokens keep balances and allowances, asked once for each token. */
type StorageLayouts = {
  find(
    token: Address,
    options: { readonly sender: Address; readonly block: Block; readonly signal: AbortSignal },
  ): Promise<TokenStorage>;
};

// Layouts are a few bytes each; more tokens than this are not asked for in a day.
const layoutsKept = swapLimits.layoutsKept.value;

/** Finds where a token stores the allowance of `spender`, a router, and the sender's balance. */
export function createStorageLayouts(
  reader: Pick<ChainReader, 'call'>,
  spender: Address,
): StorageLayouts {
  const layouts = createBoundedMap<Address, TokenStorage>(layoutsKept);
  return {
    async find(token, { sender, block, signal }) {
      const known = layouts.get(token);
      if (known !== undefined) return known;
      const calls = probeStorageCalls(token, sender, spender);
      const storage = await readCalls(reader, calls, { block, signal, decode: readTokenStorage });
      layouts.set(token, storage);
      return storage;
    },
  };
}

// A balance that no token has by chance and that survives the flag some tokens keep in the highest bit.
const marker = 0x7_7261_6465_7769_6e64_0000n;

/** How a token keeps balances and allowances; undefined where no known layout fits. */
export type TokenStorage = {
  readonly balances: StorageLayout | undefined;
  readonly allowances: StorageLayout | undefined;
};

/**
 * Two calls that find a token's layouts at once: the slot of every candidate layout is overridden with
 * a value of its own, and the value that `balanceOf` or `allowance` then returns identifies the layout.
 */
function probeStorageCalls(token: Address, holder: Address, spender: Address): Call[] {
  return [
    {
      data: callOf(token, { functionName: 'balanceOf', args: [holder] }),
      overrides: { [token]: { slots: markSlots((layout) => balanceSlot(layout, holder)) } },
    },
    {
      data: callOf(token, { functionName: 'allowance', args: [holder, spender] }),
      overrides: {
        [token]: { slots: markSlots((layout) => allowanceSlot(layout, holder, spender)) },
      },
    },
  ];
}

/** Made by code of ours, so that what is no answer to it comes from the endpoint and not from the token [F67]. */
function callOf(
  target: Address,
  getter:
    | { readonly functionName: 'balanceOf'; readonly args: readonly [Address] }
    | { readonly functionName: 'allowance'; readonly args: readonly [Address, Address] },
): Hex {
  return encodeCalls([{ target, data: encodeFunctionData({ abi: tokenAbi, ...getter }) }]);
}

/** The layouts in the outcomes of {@link probeStorageCalls}. Throws `UPSTREAM_ERROR` for what cannot be their outcome. */
function readTokenStorage(outcomes: readonly CallOutcome[]): TokenStorage {
  return { balances: readLayout(outcomes[0]), allowances: readLayout(outcomes[1]) };
}

function markSlots(slotOf: (layout: StorageLayout) => Hex): Record<Hex, Hex> {
  return Object.fromEntries(
    candidateLayouts.map((layout, index) => [
      slotOf(layout),
      numberToHex(marker + BigInt(index), { size: 32 }),
    ]),
  );
}

function readLayout(outcome: CallOutcome | undefined): StorageLayout | undefined {
  if (outcome?.status !== 'returned') return undefined;
  const [answer, ...others] = readAnswers(outcome.data);
  if (answer === undefined || others.length > 0) {
    throw new SwapError('UPSTREAM_ERROR', "The node's answer is not that of one call.");
  }
  if (!answer.ok || answer.data.length < 66) return undefined;
  const index = hexToBigInt(answer.data.slice(0, 66) as Hex) - marker;
  return index >= 0n && index < candidateLayouts.length
    ? candidateLayouts[Number(index)]
    : undefined;
}

/** How a token contract lays out a mapping in its storage. */
type StorageLayout =
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
const candidateLayouts: readonly StorageLayout[] = [
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
