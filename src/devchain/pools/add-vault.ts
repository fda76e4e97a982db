import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  parseAbi,
  parseAbiParameters,
  stringToHex,
} from 'viem';
import { compiledContracts } from '../contracts/compiled-contracts.ts';
import { liquidityProvider } from '../evm/liquidity-provider.ts';
import type { Evm } from '../evm/open-evm.ts';
import { sendBatch } from '../evm/send-batch.ts';
import { sendTransaction } from '../evm/send-transaction.ts';
import { testAccounts } from '../evm/test-accounts.ts';
import type { Token } from '../tokens/create-token.ts';
import { giftCalls } from '../tokens/give-tokens.ts';

const vaultAbi = parseAbi([
  'function approve(address spender, uint256 value)',
  'function deposit(uint256 assets, address receiver) returns (uint256 shares)',
]);
const vaultParameters = parseAbiParameters(
  'bytes32 name, bytes32 symbol, uint8 decimals, address asset',
);

/**
 * Deploys a vault of ERC-4626, a contract of our own. The liquidity provider and all test accounts have deposits
 * in it, and it has earned a tenth of them since. The asset must be an ordinary token of `createToken`.
 */
export async function addVault(
  evm: Evm,
  { asset, deposit, ...vault }: Token & { readonly asset: Token; readonly deposit: bigint },
): Promise<Token> {
  const { address, name, symbol, decimals } = vault;
  const args = encodeAbiParameters(vaultParameters, [
    stringToHex(name, { size: 32 }),
    stringToHex(symbol, { size: 32 }),
    decimals,
    asset.address,
  ]);
  const data = `${compiledContracts.SavingsVault}${args.slice(2)}`;
  // A call of creation code returns the code that it would have deployed.
  const code = await evm.request({ method: 'eth_call', params: [{ data }, 'latest'] });
  await evm.request({ method: 'hardhat_setCode', params: [address, code] });

  const receivers = [liquidityProvider, ...testAccounts.map((account) => account.address)];
  const amount = deposit * 10n ** BigInt(asset.decimals);
  const total = amount * BigInt(receivers.length);
  const give = (holder: Address, value: bigint) =>
    giftCalls({ token: asset.address, holders: [holder], amount: value });
  await sendBatch(evm, give(liquidityProvider, total));
  const approve = { abi: vaultAbi, functionName: 'approve', args: [address, total] } as const;
  await send(evm, asset.address, encodeFunctionData(approve));
  for (const receiver of receivers) {
    const paid = { abi: vaultAbi, functionName: 'deposit', args: [amount, receiver] } as const;
    await send(evm, address, encodeFunctionData(paid));
  }
  await sendBatch(evm, give(address, total / 10n));
  return { address, name, symbol, decimals };
}

function send(evm: Evm, to: Address, data: `0x${string}`) {
  return sendTransaction(evm, { from: liquidityProvider, to, data });
}
