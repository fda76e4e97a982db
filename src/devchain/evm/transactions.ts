import {
  type Address,
  encodeFunctionData,
  formatTransactionReceipt,
  type Hex,
  numberToHex,
  parseAbi,
  type RpcTransactionReceipt,
  type TransactionReceipt,
} from 'viem';
import { uniswapDeployment } from '../known-exchanges.ts';
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

/**
 * The account that owns the liquidity of every pool and hands out tokens. It is nobody's: the text
 * "liquidity provider" as an address, so that the test accounts keep their nonces and round balances.
 */
export const liquidityProvider: Address = '0x6c69717569646974792070726f76696465720000';

export type Call = { readonly to: Address; readonly data: Hex; readonly value?: bigint };

const multicall3Abi = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3Value(Call3Value[] calls) payable returns (Result[])',
]);

/**
 * Makes all the calls in one transaction or none of them. The contracts called see Multicall3 as their
 * caller. Anybody may take what a batch leaves there, so it must pass on all that it takes.
 */
export async function sendBatch(evm: Evm, calls: readonly Call[]): Promise<void> {
  const args = calls.map(({ to, data, value = 0n }) => ({
    target: to,
    allowFailure: false,
    value,
    callData: data,
  }));
  await sendTransaction(evm, {
    from: liquidityProvider,
    to: uniswapDeployment.multicall3,
    value: args.reduce((sum, { value }) => sum + value, 0n),
    data: encodeFunctionData({ abi: multicall3Abi, args: [args] }),
  });
}

/** Creates a contract from the account that owns the liquidity, and gives its address. */
export async function deployContract(evm: Evm, code: Hex): Promise<Address> {
  const { contractAddress } = await sendTransaction(evm, { from: liquidityProvider, data: code });
  if (!contractAddress) throw new Error('A transaction without receiver created no contract.');
  return contractAddress;
}

/**
 * Deploys a contract through the public CREATE2 deployer, so that it has the same address as on
 * every chain. `data` is the salt and the creation code after it.
 */
export async function deployByCreate2(evm: Evm, data: Hex): Promise<void> {
  await sendTransaction(evm, {
    from: liquidityProvider,
    to: uniswapDeployment.create2Deployer,
    data,
  });
}

/** Enough ether for an account that is made up, and little enough to add up without overflow. */
const plenty = 10n ** 27n;

/** Lets transactions be sent from `account` without its key, and gives it ether to pay for them. */
export async function impersonate(evm: Evm, account: Address): Promise<void> {
  await evm.request({ method: 'hardhat_impersonateAccount', params: [account] });
  await evm.request({ method: 'hardhat_setBalance', params: [account, numberToHex(plenty)] });
}
