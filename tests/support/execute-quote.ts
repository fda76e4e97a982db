import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  numberToHex,
  type RpcBlock,
  type RpcTransactionReceipt,
} from 'viem';
import type { Evm } from '../../src/devchain/evm/open-evm.ts';
import { impersonate } from '../../src/devchain/evm/transactions.ts';
import { giveTokens } from '../../src/devchain/tokens.ts';
import { type Address, nativeToken } from '../../src/swap/model.ts';
import type { QuoteCall, RoutedQuote } from '../../src/swap/quote/quote.ts';

type Sent = { readonly succeeded: boolean; readonly gasUsed: bigint; readonly fee: bigint };

/** Funds the sender with what the quote's transaction takes, and sends the approvals that the quote asks for. */
export async function prepareSender(evm: Evm, quote: RoutedQuote): Promise<void> {
  const { tokenFrom, amountIn, approval, tx } = quote;
  await impersonate(evm, tx.from);
  await fund(evm, { token: tokenFrom.address, holder: tx.from, amount: amountIn });
  for (const call of approval) {
    const { succeeded } = await send(evm, call);
    if (!succeeded) throw new Error(`An approval of ${tokenFrom.symbol} was refused.`);
  }
}

/** Tops up a holder's balance of a token to an amount. Ether comes with impersonation. */
export async function fund(
  evm: Evm,
  { token, holder, amount }: { token: Address; holder: Address; amount: bigint },
): Promise<void> {
  if (token === nativeToken) return;
  const missing = amount - (await balanceOf(evm, token, holder));
  if (missing > 0n) await giveTokens(evm, { token, holders: [holder], amount: missing });
}

export type Execution = Sent & { readonly received: bigint; readonly spent: bigint };

/** Sends the quote's transaction exactly as it is. Returns what the sender received and spent. */
export async function executeQuote(evm: Evm, quote: RoutedQuote): Promise<Execution> {
  const { tx, tokenFrom, tokenTo } = quote;
  const balances = async () => ({
    from: await balanceOf(evm, tokenFrom.address, tx.from),
    to: await balanceOf(evm, tokenTo.address, tx.from),
  });
  const before = await balances();
  const sent = await send(evm, tx);
  const after = await balances();
  const feeIn = (token: Address) => (token === nativeToken ? sent.fee : 0n);
  return {
    ...sent,
    received: after.to - before.to + feeIn(tokenTo.address),
    spent: before.from - after.from - feeIn(tokenFrom.address),
  };
}

/** Whether the quote's transaction would succeed with another gas limit. Leaves the chain unchanged. */
export async function succeedsWith(evm: Evm, { tx }: RoutedQuote, gas: bigint): Promise<boolean> {
  return undone(evm, async () => (await send(evm, { ...tx, gas })).succeeded);
}

/** Does something and then reverts the chain to its state before. */
export async function undone<T>(evm: Evm, work: () => Promise<T>): Promise<T> {
  const snapshot = await evm.request({ method: 'evm_snapshot' });
  try {
    return await work();
  } finally {
    await evm.request({ method: 'evm_revert', params: [snapshot] });
  }
}

/** Sends a transaction in a block of its own, twelve seconds after the last block, as on mainnet. */
export async function send(
  evm: Evm,
  call: QuoteCall & { readonly gas?: bigint; readonly gasPrice?: bigint },
): Promise<Sent> {
  const { from, to, data, value, gas, gasPrice } = call;
  const head = (await evm.request({
    method: 'eth_getBlockByNumber',
    params: ['latest', false],
  })) as RpcBlock;
  const timestamp = numberToHex(hexToBigInt(head.timestamp) + 12n);
  await evm.request({ method: 'evm_setNextBlockTimestamp', params: [timestamp] });
  const transaction = {
    ...{ from, to, data, value: numberToHex(value) },
    ...(gas === undefined ? {} : { gas: numberToHex(gas) }),
    ...(gasPrice === undefined ? {} : { gasPrice: numberToHex(gasPrice) }),
  };
  const hash = await evm.request({ method: 'eth_sendTransaction', params: [transaction] });
  const receipt = (await evm.request({
    method: 'eth_getTransactionReceipt',
    params: [hash],
  })) as RpcTransactionReceipt;
  const gasUsed = hexToBigInt(receipt.gasUsed);
  const fee = gasUsed * hexToBigInt(receipt.effectiveGasPrice);
  return { succeeded: receipt.status === '0x1', gasUsed, fee };
}

export async function balanceOf(evm: Evm, token: Address, holder: Address): Promise<bigint> {
  if (token === nativeToken) {
    const params = [holder, 'latest'];
    return BigInt((await evm.request({ method: 'eth_getBalance', params })) as Hex);
  }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] });
  const balance = await evm.request({
    method: 'eth_call',
    params: [{ to: token, data }, 'latest'],
  });
  return BigInt(balance as Hex);
}
