import { type Address, numberToHex } from 'viem';
import type { Evm } from './open-evm.ts';

/** Enough ether for an account that is made up, and little enough to add up without overflow. */
const plenty = 10n ** 27n;

/** Lets transactions be sent from `account` without its key, and gives it ether to pay for them. */
export async function impersonate(evm: Evm, account: Address): Promise<void> {
  await evm.request({ method: 'hardhat_impersonateAccount', params: [account] });
  await evm.request({ method: 'hardhat_setBalance', params: [account, numberToHex(plenty)] });
}
