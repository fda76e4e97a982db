import type { Address, Hex } from 'viem';
import { liquidityProvider } from './liquidity-provider.ts';
import type { Evm } from './open-evm.ts';
import { sendTransaction } from './send-transaction.ts';

/** Creates a contract from the account that owns the liquidity, and gives its address. */
export async function deployContract(evm: Evm, code: Hex): Promise<Address> {
  const { contractAddress } = await sendTransaction(evm, { from: liquidityProvider, data: code });
  if (!contractAddress) throw new Error('A transaction without receiver created no contract.');
  return contractAddress;
}
