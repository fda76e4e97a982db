import { encodeFunctionData, parseAbi } from 'viem/utils';
import type { Address } from '../model/address.ts';
import type { TransactionCall } from '../swap-order.ts';

const wrappedAbi = parseAbi(['function deposit() payable', 'function withdraw(uint256 amount)']);

/** Turns the native token into its wrapped form, one for one. */
export function encodeWrap(wrappedNative: Address, amount: bigint): TransactionCall {
  return {
    to: wrappedNative,
    data: encodeFunctionData({ abi: wrappedAbi, functionName: 'deposit' }),
    value: amount,
  };
}

/** Turns the wrapped form back into the native token, one for one. */
export function encodeUnwrap(wrappedNative: Address, amount: bigint): TransactionCall {
  const data = encodeFunctionData({ abi: wrappedAbi, functionName: 'withdraw', args: [amount] });
  return { to: wrappedNative, data, value: 0n };
}
