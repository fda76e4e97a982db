import { type Address, concat, type Hex, numberToHex } from 'viem';
import type { Evm } from '../../src/devchain/evm/open-evm.ts';
import { testAccounts } from '../../src/devchain/evm/test-accounts.ts';
import { sendTransaction } from '../../src/devchain/evm/transactions.ts';
import { deployUniswap } from '../../src/devchain/exchanges/deploy-uniswap.ts';
import { openTestEvm } from '../support/open-test-evm.ts';
import { compileProbe } from './compile-probe.ts';

const from = testAccounts[0]!.address;

/** A contract that does a whole experiment with real pools in one `eth_call`, which leaves no state. */
export type Probe = {
  /** The chain it is on, with Uniswap. */
  readonly evm: Evm;
  readonly address: Address;
  call(data: Hex): Promise<Hex>;
};

/** `deploy` puts more contracts on the chain first, and returns the arguments of the probe's constructor. */
export async function openProbe(
  contract: string,
  deploy: (evm: Evm) => Promise<readonly Hex[]> = async () => [],
): Promise<Probe> {
  const evm = await openTestEvm({ chainId: 31337 });
  await deployUniswap(evm);
  const data = concat([compileProbe(contract), ...(await deploy(evm))]);
  const { contractAddress } = await sendTransaction(evm, { from, data });
  // The receipt of a successful creation names the contract.
  const address = contractAddress as Address;

  return {
    evm,
    address,
    async call(data) {
      // Far more than any block holds: an experiment is dozens of swaps.
      const call = { from, to: address, data, gas: numberToHex(2n ** 40n) };
      return (await evm.request({ method: 'eth_call', params: [call, 'latest'] })) as Hex;
    },
  };
}
