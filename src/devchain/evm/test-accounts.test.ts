import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { testAccounts, testMnemonic } from './test-accounts.ts';

it('holds the first ten accounts of the well-known mnemonic', () => {
  expect(testAccounts).toHaveLength(10);
  for (const [addressIndex, { address, privateKey }] of testAccounts.entries()) {
    expect(privateKeyToAccount(privateKey).address).toBe(address);
    expect(mnemonicToAccount(testMnemonic, { addressIndex }).address).toBe(address);
  }
});
