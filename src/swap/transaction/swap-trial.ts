import type { Hex } from 'viem';
import {
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  hexToString,
  numberToHex,
  parseAbi,
  toFunctionSelector,
} from 'viem/utils';
import type { Call, CallOutcome, StateOverrides } from '../chain/chain-reader.ts';
import type { Address } from '../model.ts';
import type { PoolKind } from '../pools/pool-kind.ts';
import type { TransactionCall } from '../swap-order.ts';
import { compiledContracts } from './contracts/compiled-contracts.ts';
import { allowanceSlot, balanceSlot, type TokenStorage } from './storage-layout.ts';

const abi = parseAbi([
  'struct Trial { address target; uint256 value; bytes data; address tokenOut; address recipient; address[] constantProductPools; address[] concentratedPools; address[] algebraPools; uint256 mostGas; }',
  'function run(Trial trial) returns (bool succeeded, uint256 received, uint256 gasNeeded, uint256 gasOfNextBlock, bytes returned)',
]);

/** With the selector, which is hashed once instead of for every quote. */
const run = { abi, functionName: toFunctionSelector(abi[0]) } as const;

const nativeMark: Hex = '0x0000000000000000000000000000000000000000';

// EIP-7825: no transaction may have more.
const mostGas = 16_777_216n;

export type TrialInput = {
  readonly call: TransactionCall;
  readonly sender: Address;
  /** The account at which the output is measured. */
  readonly recipient: Address;
  /** Undefined if the native token is paid. */
  readonly tokenIn: { readonly address: Address; readonly storage: TokenStorage } | undefined;
  readonly amountIn: bigint;
  /** Who takes the token paid; by default the target of the call. */
  readonly spender?: Address | undefined;
  /** Undefined if the native token is received. */
  readonly tokenOut: Address | undefined;
  /** Pools that write something in the first swap of a block alone. */
  readonly pools: readonly {
    readonly address: Address;
    readonly writesOnceABlock: PoolKind['writesOnceABlock'];
  }[];
};

export type TrialResult =
  | {
      readonly outcome: 'succeeded';
      readonly received: bigint;
      /** Enough gas for the call itself, and hardly more; without what a transaction pays beyond it. */
      readonly callGas: bigint;
    }
  | { readonly outcome: 'reverted'; readonly reason: string }
  /** The node cannot try it, so that nothing is known. */
  | { readonly outcome: 'untried'; readonly reason: string };

/**
 * The call that tries a transaction of the sender at a block, on a state in which the sender has what
 * it gives and has allowed the target to take it. Balances and allowances are set only where the
 * token's layout is known; elsewhere the sender's real ones count.
 */
export function encodeTrial(input: TrialInput): Call {
  const { call, sender, recipient, tokenIn, tokenOut, pools } = input;
  const poolsThatWrite = (what: PoolKind['writesOnceABlock']) =>
    pools.filter((pool) => pool.writesOnceABlock === what).map(({ address }) => address);
  const trial = {
    target: call.to,
    value: call.value,
    data: call.data,
    tokenOut: tokenOut ?? nativeMark,
    recipient,
    constantProductPools: poolsThatWrite('cumulative-prices'),
    concentratedPools: poolsThatWrite('observation'),
    algebraPools: poolsThatWrite('timepoint'),
    mostGas,
  };
  const senderAccount = {
    code: compiledContracts.SwapTrial,
    ...(tokenIn ? {} : { balance: call.value }),
  };
  return {
    from: sender,
    to: sender,
    data: encodeFunctionData({ ...run, args: [trial] }),
    overrides: { [sender]: senderAccount, ...(tokenIn ? holdings(input, tokenIn) : {}) },
  };
}

function holdings(
  input: TrialInput,
  { address, storage }: NonNullable<TrialInput['tokenIn']>,
): StateOverrides {
  const { sender, call, amountIn, spender = call.to } = input;
  const amount = numberToHex(amountIn, { size: 32 });
  const slots: Record<Hex, Hex> = {};
  if (storage.balances) slots[balanceSlot(storage.balances, sender)] = amount;
  if (storage.allowances) slots[allowanceSlot(storage.allowances, sender, spender)] = amount;
  return { [address]: { slots } };
}

/**
 * The result in the outcome of {@link encodeTrial}. A revert is no verdict on the transaction if the token
 * has an unknown storage layout, because the sender could then not be given what it pays with.
 */
export function readTrial(
  outcome: CallOutcome | undefined,
  { tokenIn }: Pick<TrialInput, 'tokenIn'>,
): TrialResult {
  if (outcome === undefined || outcome.status === 'unsupported') {
    return { outcome: 'untried', reason: 'the node does not support state overrides' };
  }
  if (outcome.status === 'failed') return { outcome: 'untried', reason: outcome.reason };
  // The sender's account has no code of its own: a node that ignores overrides answers nothing.
  if (outcome.data === '0x')
    return { outcome: 'untried', reason: 'the node ignores state overrides' };
  const [succeeded, received, gasNeeded, gasOfNextBlock, returned] = decodeFunctionResult({
    abi,
    functionName: 'run',
    data: outcome.data,
  });
  if (!succeeded) {
    const { balances, allowances } = tokenIn?.storage ?? {};
    const isFunded = tokenIn === undefined || (balances !== undefined && allowances !== undefined);
    return { outcome: isFunded ? 'reverted' : 'untried', reason: explainRevert(returned) };
  }
  return { outcome: 'succeeded', received, callGas: gasNeeded + gasOfNextBlock };
}

const longest = 200;

/** The reason that a contract gave for a revert, safe to display, or the first bytes of unreadable data. */
function explainRevert(data: Hex): string {
  if (data === '0x') return 'reverted without a reason';
  try {
    const { args } = decodeErrorResult({
      abi: [
        { type: 'error', name: 'Error', inputs: [{ type: 'string' }] },
        { type: 'error', name: 'Panic', inputs: [{ type: 'uint256' }] },
      ],
      data,
    });
    const text = String(args?.[0] ?? '');
    return clean(typeof args?.[0] === 'bigint' ? `panic code ${text}` : text);
  } catch {
    return clean(hexToString(data)) || `reverted with the data ${data.slice(0, 10)}`;
  }
}

function clean(text: string): string {
  // Texts come from contracts that anyone may write: only plain printable characters pass.
  return text
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, longest);
}
