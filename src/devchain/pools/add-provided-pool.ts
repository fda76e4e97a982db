import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  getCreate2Address,
  keccak256,
  parseAbi,
  zeroAddress,
} from 'viem';
import type { Evm } from '../evm/open-evm.ts';
import { liquidityProvider, sendTransaction } from '../evm/transactions.ts';
import { concentratedFeeTiers, moreExchanges } from '../known-exchanges.ts';
import type { ConcentratedPool, Position } from './add-concentrated-pool.ts';

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

/**
 * How much liquidity the amounts of a position give at a price: `LiquidityAmounts` of Uniswap, with the
 * prices at ticks computed in floats. The price must lie inside the position.
 */
function liquidityOf(position: Position, sqrtPriceX96: bigint): bigint {
  const low = sqrtPriceAt(position.tickLower);
  const high = sqrtPriceAt(position.tickUpper);
  const by0 = (position.amount0 * ((sqrtPriceX96 * high) >> 96n)) / (high - sqrtPriceX96);
  const by1 = (position.amount1 << 96n) / (sqrtPriceX96 - low);
  return by0 < by1 ? by0 : by1;
}

function sqrtPriceAt(tick: number): bigint {
  const exponent = 40;
  // Wide enough for prices far from one: a float holds 53 bits of it.
  return BigInt(Math.round(1.0001 ** (tick / 2) * 2 ** (96 - exponent))) << BigInt(exponent);
}
