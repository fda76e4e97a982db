import { type Address, encodeFunctionData, parseAbi } from 'viem';
import { liquidityProvider } from '../evm/liquidity-provider.ts';
import type { Evm } from '../evm/open-evm.ts';
import { sendBatch } from '../evm/send-batch.ts';
import { giftCalls } from '../tokens/give-tokens.ts';
import { uniswapDeployment } from '../uniswap-deployment.ts';
import { constantProductPoolAddress } from './pool-address.ts';

export type ConstantProductPool = {
  /** In any order. */
  readonly tokens: readonly [Address, Address];
  /** What the pool holds of each, in the order of `tokens`. */
  readonly reserves: readonly [bigint, bigint];
};

const pairAbi = parseAbi([
  'function createPair(address tokenA, address tokenB) returns (address)',
  'function mint(address to) returns (uint256)',
]);

/**
 * Creates a Uniswap V2 pool with exactly these reserves, and gives its address. The tokens are minted
 * or wrapped into it, so that one which taxes transfers, or fails them, has its pool too. Rejects with
 * an `EvmRequestError` when the pool is there already.
 */
export async function addConstantProductPool(
  evm: Evm,
  { tokens: [one, other], reserves: [ofOne, ofOther] }: ConstantProductPool,
): Promise<Address> {
  const pool = constantProductPoolAddress(one, other);
  await sendBatch(evm, [
    {
      to: uniswapDeployment.constantProductFactory,
      data: encodeFunctionData({ abi: pairAbi, functionName: 'createPair', args: [one, other] }),
    },
    ...giftCalls({ token: one, holders: [pool], amount: ofOne }),
    ...giftCalls({ token: other, holders: [pool], amount: ofOther }),
    {
      to: pool,
      data: encodeFunctionData({ abi: pairAbi, functionName: 'mint', args: [liquidityProvider] }),
    },
  ]);
  return pool;
}
