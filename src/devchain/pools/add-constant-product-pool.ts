import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getCreate2Address,
  keccak256,
  parseAbi,
  parseAbiParameters,
} from 'viem';
import type { Evm } from '../evm/open-evm.ts';
import { liquidityProvider, sendBatch } from '../evm/transactions.ts';
import { poolInitCodeHash, uniswapDeployment } from '../known-exchanges.ts';
import { giftCalls } from '../tokens.ts';

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

/** The two tokens in the order of their addresses, which is the order inside a pool. */
export function sortTokens(one: Address, other: Address): [token0: Address, token1: Address] {
  return BigInt(one) < BigInt(other) ? [one, other] : [other, one];
}

/** Where the V2 factory puts the pool of two tokens, whether or not it is there. */
export function constantProductPoolAddress(one: Address, other: Address): Address {
  return getCreate2Address({
    from: uniswapDeployment.constantProductFactory,
    salt: keccak256(encodePacked(['address', 'address'], sortTokens(one, other))),
    bytecodeHash: poolInitCodeHash.constantProduct,
  });
}

/** Where the V3 factory puts the pool of two tokens with a fee, whether or not it is there. */
export function concentratedPoolAddress(pool: {
  token0: Address;
  token1: Address;
  fee: number;
}): Address {
  const [token0, token1] = sortTokens(pool.token0, pool.token1);
  return getCreate2Address({
    from: uniswapDeployment.concentratedFactory,
    salt: keccak256(
      encodeAbiParameters(parseAbiParameters('address, address, uint24'), [
        token0,
        token1,
        pool.fee,
      ]),
    ),
    bytecodeHash: poolInitCodeHash.concentrated,
  });
}
