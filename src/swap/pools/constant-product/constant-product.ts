import { numberToHex } from 'viem/utils';
import type { PoolKind } from '../pool-kind.ts';
import type {
  ConstantProductExchange,
  ConstantProductPool,
  ConstantProductState,
} from './constant-product-pool.ts';
import { constantProductCurve } from './curve.ts';
import { applyConstantProductLog } from './decode.ts';
import { discoverConstantProduct } from './discover.ts';
import { readConstantProductState, writeConstantProductQuery } from './refresh.ts';
import { simulateConstantProduct } from './simulate.ts';

/** Uniswap V2 and its forks. */
export const constantProduct: PoolKind<
  ConstantProductPool,
  ConstantProductState,
  ConstantProductExchange
> = {
  discover: discoverConstantProduct,
  // 29 bytes each.
  poolsPerCall: 400,
  query: writeConstantProductQuery,
  readState: readConstantProductState,
  applyLog: applyConstantProductLog,
  simulate: simulateConstantProduct,
  curve: (state, { zeroForOne }) => constantProductCurve(state, zeroForOne),
  midPrice: ({ reserve0, reserve1 }, zeroForOne) =>
    zeroForOne ? Number(reserve1) / Number(reserve0) : Number(reserve0) / Number(reserve1),
  gasOfHop: 60_000,
  writesOnceABlock: 'cumulative-prices',
  tradesWhatArrives: true,
  // It calls back only where data is handed to it, and the executor hands none.
  runsForeignCode: () => false,
  encodeHop: ({ feeNumerator, feeDenominator }) => ({
    number: 0,
    // What is kept of the input, in ten-thousandths.
    extra: numberToHex((feeNumerator * 10_000n) / feeDenominator, { size: 2 }),
  }),
  uniswapLeg: () => ({ version: 2 }),
};
