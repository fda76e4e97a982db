import {
  type Address,
  encodeAbiParameters,
  encodePacked,
  getCreate2Address,
  keccak256,
  parseAbiParameters,
} from 'viem';
import { poolInitCodeHash, uniswapDeployment } from '../uniswap-deployment.ts';

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
