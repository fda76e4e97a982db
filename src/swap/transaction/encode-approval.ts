import { encodeFunctionData } from 'viem/utils';
import type { Address } from '../model/address.ts';
import type { TransactionCall } from '../swap-order.ts';
import { approveFunction } from '../tokens/token-abi.ts';

export type ApprovalNeed = {
  readonly token: Address;
  readonly spender: Address;
  readonly amount: bigint;
  /** What the spender may take already. */
  readonly allowance: bigint;
  /** Whether the token refuses to change one allowance into another, as USDT does. */
  readonly needsReset: boolean;
};

/** The calls to sign before the swap, in order; none when the allowance is enough. */
export function encodeApproval(need: ApprovalNeed): TransactionCall[] {
  const { token, spender, amount, allowance, needsReset } = need;
  if (allowance >= amount) return [];
  const approve = (value: bigint): TransactionCall => ({
    to: token,
    data: encodeFunctionData({ ...approveFunction, args: [spender, value] }),
    value: 0n,
  });
  return needsReset && allowance > 0n ? [approve(0n), approve(amount)] : [approve(amount)];
}
