import { type Address, encodeFunctionData, isAddressEqual, parseAbi } from 'viem';
import type { Evm } from '../evm/open-evm.ts';
import { type Call, sendBatch } from '../evm/send-batch.ts';
import { uniswapDeployment } from '../uniswap-deployment.ts';

export type Gift = {
  /** One made by `createToken`, or wrapped ether. */
  readonly token: Address;
  readonly holders: readonly Address[];
  /** What each holder gets. */
  readonly amount: bigint;
};

const abi = parseAbi([
  'function mint(address to, uint256 value)',
  'function deposit() payable',
  'function transfer(address to, uint256 value) returns (bool)',
]);

/** Gives tokens to each holder, newly minted or wrapped, in one transaction. */
export async function giveTokens(evm: Evm, gift: Gift): Promise<void> {
  await sendBatch(evm, giftCalls(gift));
}

/** The calls of `giveTokens`, for a batch that does more. */
export function giftCalls({ token, holders, amount }: Gift): Call[] {
  const isWrapped = isAddressEqual(token, uniswapDeployment.wrappedNative);
  const calls = holders.map((holder) => ({
    to: token,
    data: encodeFunctionData({
      abi,
      functionName: isWrapped ? 'transfer' : 'mint',
      args: [holder, amount],
    }),
  }));
  if (!isWrapped) return calls;
  const value = amount * BigInt(holders.length);
  return [
    { to: token, data: encodeFunctionData({ abi, functionName: 'deposit' }), value },
    ...calls,
  ];
}
