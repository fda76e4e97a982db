import {
  type Address,
  formatTransactionReceipt,
  type Hex,
  numberToHex,
  type RpcTransactionReceipt,
  type TransactionReceipt,
} from 'viem';
import type { Evm } from './open-evm.ts';

/**
 * Sends a transaction from an account that is unlocked or impersonated, and gives its receipt once it
 * is mined. Without `to` it creates a contract. Rejects with an `EvmRequestError` that carries the
 * reason when the transaction reverts.
 */
export async function sendTransaction(
  evm: Evm,
  { value = 0n, ...transaction }: { from: Address; to?: Address; data?: Hex; value?: bigint },
): Promise<TransactionReceipt> {
  const call = { ...transaction, value: numberToHex(value) };
  const hash = await evm.request({ method: 'eth_sendTransaction', params: [call] });
  const receipt = formatTransactionReceipt(
    // What a mined transaction answers, by the JSON-RPC specification.
    (await evm.request({
      method: 'eth_getTransactionReceipt',
      params: [hash],
    })) as RpcTransactionReceipt,
  );
  if (receipt.status === 'reverted') {
    const parent = numberToHex(receipt.blockNumber - 1n);
    await evm.request({ method: 'eth_call', params: [call, parent] });
    throw new Error(
      `The transaction ${receipt.transactionHash} reverted, but not when it was repeated: look at its trace.`,
    );
  }
  return receipt;
}
