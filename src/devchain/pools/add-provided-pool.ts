import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  getCreate2Address,
  keccak256,
  parseAbi,
  zeroAddress,
} from 'viem';
import { liquidityProvider } from '../evm/liquidity-provider.ts';
import type { Evm } from '../evm/open-evm.ts';
import { sendTransaction } from '../evm/send-transaction.ts';
import { moreExchanges } from '../more-exchanges.ts';
import { concentratedFeeTiers } from '../uniswap-deployment.ts';
import type { ConcentratedPool } from './add-concentrated-pool.ts';
import { liquidityOf } from './liquidity-of.ts';

const abi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'struct Position { int24 tickLower; int24 tickUpper; uint128 liquidity; }',
  'function addConcentrated(address factory, address token0, address token1, uint24 fee, uint160 sqrtPriceX96, Position[] positions) payable returns (address)',
  'function addManaged(address manager, PoolKey key, uint160 sqrtPriceX96, Position[] positions) payable',
]);

/** More ether than any pool of the chain holds; what is not needed comes back. */
const enough = 10n ** 24n;

/** Creates a PancakeSwap V3 pool at a price with its positions, and gives its address. */
export async function addPancakePool(evm: Evm, pool: ConcentratedPool): Promise<Address> {
  const { token0, token1, fee, sqrtPriceX96 } = pool;
  const { pancakeFactory, pancakePoolDeployer, pancakeInitCodeHash, poolProvider } = moreExchanges;
  await sendTransaction(evm, {
    from: liquidityProvider,
    to: poolProvider,
    value: enough,
    data: encodeFunctionData({
      abi,
      functionName: 'addConcentrated',
      args: [pancakeFactory, token0, token1, fee, sqrtPriceX96, positionsOf(pool)],
    }),
  });
  const salt = encodeAbiParameters(
    [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }],
    [token0, token1, fee],
  );
  return getCreate2Address({
    from: pancakePoolDeployer,
    salt: keccak256(salt),
    bytecodeHash: pancakeInitCodeHash,
  });
}

/**
 * Creates a Uniswap V4 pool without hooks at a price with its positions, and gives the address of its manager. The
 * zero address among the tokens is the native currency.
 */
export async function addManagedPool(
  evm: Evm,
  pool: ConcentratedPool,
  poolManager: Address = moreExchanges.poolManager,
): Promise<Address> {
  const { token0: currency0, token1: currency1, fee, sqrtPriceX96 } = pool;
  const { poolProvider } = moreExchanges;
  const tickSpacing = concentratedFeeTiers.find((tier) => tier.fee === fee)?.tickSpacing ?? 1;
  const key = { currency0, currency1, fee, tickSpacing, hooks: zeroAddress };
  await sendTransaction(evm, {
    from: liquidityProvider,
    to: poolProvider,
    value: enough,
    data: encodeFunctionData({
      abi,
      functionName: 'addManaged',
      args: [poolManager, key, sqrtPriceX96, positionsOf(pool)],
    }),
  });
  return poolManager;
}

function positionsOf({ positions, sqrtPriceX96 }: ConcentratedPool) {
  return positions.map((position) => ({
    tickLower: position.tickLower,
    tickUpper: position.tickUpper,
    liquidity: liquidityOf(position, sqrtPriceX96),
  }));
}
