import { callApi } from '../api.ts';
import { after } from '../clock.ts';
import {
  developmentChainId,
  nativeAddress,
  type RoutedAnswer,
  type Transaction,
} from './quote-answer.ts';

/** The result of executing a quote on the development chain. */
export type Execution = {
  readonly transactionHash: string;
  /** In smallest units of the token bought; gas is not subtracted. */
  readonly received: bigint;
  readonly gasUsed: bigint;
};

type Receipt = {
  readonly status: string;
  readonly transactionHash: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
};

/** `balanceOf(address)` of ERC-20. */
const balanceOf = '0x70a08231';
const pollMs = 100;
const mostPolls = 100;

/** The accounts whose keys the development chain itself holds. */
export function testAccounts(): Promise<readonly string[]> {
  return askChain('eth_accounts', []);
}

/**
 * Sends the approvals and the transaction of a quote from a test account, for which the development chain
 * signs itself, and measures the output received. Throws if one of them reverts.
 */
export async function executeQuote({
  tx,
  approval = [],
  tokenTo,
}: RoutedAnswer): Promise<Execution> {
  if (tx === undefined) throw new Error('The quote has no transaction: there is nothing to send.');
  for (const call of approval) await send(call);
  const balance = async (): Promise<bigint> => {
    const call = { to: tokenTo.address, data: balanceOf + tx.from.slice(2).padStart(64, '0') };
    return tokenTo.address === nativeAddress
      ? BigInt(await askChain<string>('eth_getBalance', [tx.from, 'latest']))
      : BigInt(await askChain<string>('eth_call', [call, 'latest']));
  };
  const before = await balance();
  const { transactionHash, gasUsed, effectiveGasPrice } = await send(tx);
  const paid = tokenTo.address === nativeAddress ? BigInt(gasUsed) * BigInt(effectiveGasPrice) : 0n;
  const received = (await balance()) - before + paid;
  return { transactionHash, received, gasUsed: BigInt(gasUsed) };
}

async function send({ from, to, data, value, gas, gasPrice }: Transaction): Promise<Receipt> {
  const hex = (number: string | number | undefined) =>
    number === undefined ? undefined : `0x${BigInt(number).toString(16)}`;
  const call = { from, to, data, value: hex(value), gas: hex(gas), gasPrice: hex(gasPrice) };
  const hash = await askChain<string>('eth_sendTransaction', [call]);
  for (let polls = 0; polls < mostPolls; polls += 1) {
    const receipt = await askChain<Receipt | null>('eth_getTransactionReceipt', [hash]);
    if (receipt?.status === '0x1') return receipt;
    if (receipt !== null) throw new Error(`The transaction ${hash} reverted: ask for a new quote.`);
    await new Promise<void>((resolve) => after(pollMs, resolve));
  }
  throw new Error(`The transaction ${hash} is in no block yet.`);
}

async function askChain<T>(method: string, params: readonly unknown[]): Promise<T> {
  const body = { jsonrpc: '2.0', id: 1, method, params };
  const answer = await callApi<{ result: T; error?: { message: string } }>(
    `/rpc/${developmentChainId}`,
    { method: 'POST', body },
  );
  if (answer.error !== undefined) throw new Error(answer.error.message);
  return answer.result;
}
