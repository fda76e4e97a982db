import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  parseAbi,
  parseAbiParameters,
} from 'viem';
import { compiledContracts } from '../contracts/compiled-contracts.ts';
import { deployContract } from '../evm/deploy-contract.ts';
import type { Evm } from '../evm/open-evm.ts';
import { sendBatch } from '../evm/send-batch.ts';
import type { Token } from '../tokens/create-token.ts';
import { giftCalls } from '../tokens/give-tokens.ts';

const stableSwapAbi = parseAbi(['function add_liquidity()']);
const stableSwapParameters = parseAbiParameters(
  'address[3] coins, uint256 amplification, uint256 fee, uint256 adminFee',
);

/** Of the output, in 10⁻¹⁰: 0.02%. Half of it leaves the balances. */
const stableSwapFee = 2_000_000n;
const stableSwapAdminFee = 5_000_000_000n;

/** Deploys a pool like the first ones of Curve, a contract of our own, and returns its address. */
export async function addStableSwapPool(
  evm: Evm,
  {
    coins,
    amount,
  }: {
    readonly coins: readonly [Token, Token, Token];
    /** Whole coins of each. */
    readonly amount: bigint;
  },
): Promise<Address> {
  const addresses = [coins[0].address, coins[1].address, coins[2].address] as const;
  const args = encodeAbiParameters(stableSwapParameters, [
    addresses,
    200n,
    stableSwapFee,
    stableSwapAdminFee,
  ]);
  const pool = await deployContract(
    evm,
    `${compiledContracts.StableSwapPool}${args.slice(2)}` as `0x${string}`,
  );
  await sendBatch(evm, [
    ...coins.flatMap(({ address, decimals }) =>
      giftCalls({ token: address, holders: [pool], amount: amount * 10n ** BigInt(decimals) }),
    ),
    { to: pool, data: encodeFunctionData({ abi: stableSwapAbi }) },
  ]);
  return pool;
}
