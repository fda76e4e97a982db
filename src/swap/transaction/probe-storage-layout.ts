import type { Hex } from 'viem';
import { encodeFunctionData, hexToBigInt, numberToHex } from 'viem/utils';
import { encodeCalls, readAnswers } from '../chain/call-many.ts';
import type { Call, CallOutcome } from '../chain/chain-reader.ts';
import type { Address } from '../model/address.ts';
import { SwapError } from '../model/swap-error.ts';
import { tokenAbi } from '../tokens/token-abi.ts';
import {
  allowanceSlot,
  balanceSlot,
  candidateLayouts,
  type StorageLayout,
} from './storage-layout.ts';

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
export function probeStorageCalls(token: Address, holder: Address, spender: Address): Call[] {
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
export function readTokenStorage(outcomes: readonly CallOutcome[]): TokenStorage {
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
