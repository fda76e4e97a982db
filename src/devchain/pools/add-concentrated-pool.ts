import { type Address, encodeFunctionData, type Hex, maxUint256, parseAbi } from 'viem';
import type { Evm } from '../evm/open-evm.ts';
import { liquidityProvider, sendBatch, sendTransaction } from '../evm/transactions.ts';
import { type ConcentratedFee, uniswapDeployment } from '../known-exchanges.ts';
import { giftCalls } from '../tokens.ts';
import { concentratedPoolAddress } from './add-constant-product-pool.ts';

export type ConcentratedPool = {
  /** The token that sorts first. */
  readonly token0: Address;
  readonly token1: Address;
  readonly fee: ConcentratedFee;
  /** The square root of the price of a unit of token0 in units of token1, times 2^96. */
  readonly sqrtPriceX96: bigint;
  readonly positions: readonly Position[];
};

export type Position = {
  /** Multiples of the fee's tick spacing. */
  readonly tickLower: number;
  readonly tickUpper: number;
  /** At most this much of each goes in: as much as the range takes at the price. */
  readonly amount0: bigint;
  readonly amount1: bigint;
};

const { positionManager } = uniswapDeployment;

const abi = parseAbi([
  'function approve(address spender, uint256 value)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function multicall(bytes[] calls) returns (bytes[])',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) returns (address)',
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(Mint position) returns (uint256, uint128, uint256, uint256)',
]);

/**
 * Creates a Uniswap V3 pool at a price with its positions, and gives its address; if the pool exists
 * already, the positions are added at its current price. Rejects with an `EvmRequestError` for a
 * token that taxes transfers or fails them: V3 does not support those.
 */
export async function addConcentratedPool(evm: Evm, pool: ConcentratedPool): Promise<Address> {
  const { token0, token1, fee, sqrtPriceX96, positions } = pool;
  await provideForPositions(evm, pool);
  const createPool = encodeFunctionData({
    abi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [token0, token1, fee, sqrtPriceX96],
  });
  const mints = positions.map(({ tickLower, tickUpper, amount0, amount1 }) =>
    encodeFunctionData({
      abi,
      functionName: 'mint',
      args: [
        {
          token0,
          token1,
          fee,
          tickLower,
          tickUpper,
          amount0Desired: amount0,
          amount1Desired: amount1,
          amount0Min: 0n,
          amount1Min: 0n,
          recipient: liquidityProvider,
          deadline: maxUint256,
        },
      ],
    }),
  );
  await sendTransaction(evm, {
    from: liquidityProvider,
    to: positionManager,
    data: encodeFunctionData({ abi, functionName: 'multicall', args: [[createPool, ...mints]] }),
  });
  return concentratedPoolAddress(pool);
}

async function provideForPositions(evm: Evm, { token0, token1, positions }: ConcentratedPool) {
  const holders = [liquidityProvider];
  const amount0 = positions.reduce((sum, position) => sum + position.amount0, 0n);
  const amount1 = positions.reduce((sum, position) => sum + position.amount1, 0n);
  await sendBatch(evm, [
    ...giftCalls({ token: token0, holders, amount: amount0 }),
    ...giftCalls({ token: token1, holders, amount: amount1 }),
  ]);
  await approveOnce(evm, token0);
  await approveOnce(evm, token1);
}

/** Approves only from zero: tokens like USDT refuse to change an existing allowance. */
async function approveOnce(evm: Evm, token: Address): Promise<void> {
  const data = encodeFunctionData({
    abi,
    functionName: 'allowance',
    args: [liquidityProvider, positionManager],
  });
  const allowance = await evm.request({ method: 'eth_call', params: [{ to: token, data }] });
  // A call answers its result in hex; this one is a single number.
  if (BigInt(allowance as Hex) > 0n) return;
  await sendTransaction(evm, {
    from: liquidityProvider,
    to: token,
    data: encodeFunctionData({
      abi,
      functionName: 'approve',
      args: [positionManager, maxUint256],
    }),
  });
}
