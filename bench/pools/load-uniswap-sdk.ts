import { createRequire } from 'node:module';
import type { ConcentratedState } from '../../src/swap/pools/concentrated/concentrated-pool.ts';

/** The part of `@uniswap/sdk-core` and `@uniswap/v3-sdk` that a swap needs. */
type Core = {
  Token: new (chainId: number, address: string, decimals: number) => object;
  CurrencyAmount: { fromRawAmount(token: object, amount: string): object };
};
type Pools = {
  TickListDataProvider: new (ticks: object[], tickSpacing: number) => object;
  Pool: new (
    tokenA: object,
    tokenB: object,
    fee: number,
    sqrtRatioX96: string,
    liquidity: string,
    tick: number,
    ticks: object,
  ) => { getOutputAmount(amountIn: object): Promise<[{ quotient: { toString(): string } }]> };
};

/**
 * A swap with Uniswap's SDK in one pool and one direction: an exact amount in, the amount out.
 * Returns undefined if the SDK is not installed.
 */
export function loadUniswapSdk() {
  const require = createRequire(import.meta.url);
  try {
    // Their ES module builds do not load in Node.js. The types above cover only a part of their interface.
    const core = require('@uniswap/sdk-core') as Core;
    const pools = require('@uniswap/v3-sdk') as Pools;
    return (state: ConcentratedState, zeroForOne: boolean) => {
      const tokens = [state.token0, state.token1].map((address) => new core.Token(1, address, 18));
      const [token0, token1] = tokens as [object, object];
      const ticks = state.ticks.map(({ index, liquidityNet }) => ({
        index,
        liquidityNet: String(liquidityNet),
        liquidityGross: String(liquidityNet < 0n ? -liquidityNet : liquidityNet),
      }));
      const pool = new pools.Pool(
        token0,
        token1,
        state.fee,
        String(state.sqrtPriceX96),
        String(state.liquidity),
        state.tick,
        new pools.TickListDataProvider(ticks, state.tickSpacing),
      );
      const tokenIn = zeroForOne ? token0 : token1;
      return async (amountIn: bigint): Promise<bigint> => {
        const offered = core.CurrencyAmount.fromRawAmount(tokenIn, String(amountIn));
        const [amountOut] = await pool.getOutputAmount(offered);
        return BigInt(amountOut.quotient.toString());
      };
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
