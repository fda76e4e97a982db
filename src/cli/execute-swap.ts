import {
  BaseError,
  createPublicClient,
  createWalletClient,
  defineChain,
  erc20Abi,
  type Hex,
  http,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { nativeToken, type QuoteAnswer } from '../swap/wire.ts';
import { developmentChainId, testAccount } from './server/ask-for-quote.ts';
import { ServerError } from './server/server-error.ts';

/** The result of executing a quote on the chain. */
export type Execution = {
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
  readonly gasUsed: bigint;
  /** How much of the output token the sender received; gas is not subtracted. */
  readonly received: bigint;
};

type Transaction = NonNullable<QuoteAnswer['tx']>;

// Milliseconds between looks for a receipt, which comes soon: the development chain mines at once.
const pollingInterval = 50;

/**
 * Signs the approvals, the permit and the transaction of a quote with the test account, sends them to the
 * development chain at `rpcUrl` in order, and measures the output received. Throws `NO_TRANSACTION`
 * for a quote that has none, `WRONG_CHAIN` for a node of another chain, `SWAP_REVERTED` for a
 * transaction that failed and `NODE_FAILED` for a node that did.
 */
export async function executeSwap(quote: QuoteAnswer, rpcUrl: string): Promise<Execution> {
  try {
    return await execute(quote, rpcUrl);
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    // The short message of viem leaves out the URL, which may hold a key.
    throw new ServerError(
      'NODE_FAILED',
      `The node refused the transaction: ${error.shortMessage}`,
      {
        cause: error,
      },
    );
  }
}

async function execute(quote: QuoteAnswer, rpcUrl: string): Promise<Execution> {
  const { tx, approval = [], permit, tokenTo } = quote;
  if (tx === undefined || tokenTo === undefined) {
    throw new ServerError(
      'NO_TRANSACTION',
      'The quote has no transaction: there is nothing to send.',
    );
  }
  const chain = defineChain({
    id: developmentChainId,
    name: 'Development',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const account = privateKeyToAccount(testAccount.privateKey);
  const transport = http(rpcUrl);
  const reader = createPublicClient({ chain, transport, pollingInterval });
  const wallet = createWalletClient({ chain, transport, account });
  const chainId = await reader.getChainId();
  if (chainId !== developmentChainId) {
    throw new ServerError(
      'WRONG_CHAIN',
      `The node belongs to chain ${chainId}: the test account signs on chain ${developmentChainId} only.`,
    );
  }

  const balance = (): Promise<bigint> =>
    tokenTo.address === nativeToken
      ? reader.getBalance({ address: account.address })
      : reader.readContract({
          address: tokenTo.address as Hex, // the schema of the answer checks that it is an address
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [account.address],
        });
  const send = async ({ to, data, value = '0', gas, gasPrice }: Transaction) => {
    const hash = await wallet.sendTransaction({
      to: to as Hex, // checked as above, like the next
      data: data as Hex,
      value: BigInt(value),
      ...(gas === undefined ? {} : { gas: BigInt(gas) }),
      ...(gasPrice === undefined ? {} : { gasPrice: BigInt(gasPrice) }),
    });
    const receipt = await reader.waitForTransactionReceipt({ hash });
    if (receipt.status === 'success') return receipt;
    throw new ServerError(
      'SWAP_REVERTED',
      `The transaction ${hash} reverted: ask for a new quote.`,
    );
  };

  const sign = ({ typedData }: NonNullable<QuoteAnswer['permit']>): Promise<Hex> =>
    // The schema of the answer checks that it is what `eth_signTypedData_v4` takes.
    account.signTypedData(typedData as Parameters<typeof account.signTypedData>[0]);

  for (const call of approval) await send(call);
  const before = await balance();
  const { transactionHash, blockNumber, gasUsed, effectiveGasPrice } = await send({
    ...tx,
    // The executor reads the signature from the end of the calldata.
    data: permit === undefined ? tx.data : tx.data + (await sign(permit)).slice(2),
  });
  const paid = tokenTo.address === nativeToken ? gasUsed * effectiveGasPrice : 0n;
  const received = (await balance()) - before + paid;
  return { transactionHash, blockNumber, gasUsed, received };
}
