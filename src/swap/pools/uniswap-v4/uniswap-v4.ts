import { concentratedCurve } from '../concentrated/curve.ts';
import { midPriceOf } from '../concentrated/mid-price-of.ts';
import { reachToEnd } from '../concentrated/refresh.ts';
import { ticksBetween } from '../concentrated/ticks-between.ts';
import type { PoolKind } from '../pool-kind.ts';
import { applyUniswapV4Log, isUniswapV4LogOf } from './decode.ts';
import { discoverUniswapV4 } from './discover.ts';
import { encodeUniswapV4Hop } from './encode-hop.ts';
import { readUniswapV4State, writeUniswapV4Query } from './refresh.ts';
import { simulateUniswapV4 } from './simulate.ts';
import { swapFee } from './swap-fee.ts';
import type { UniswapV4Exchange, UniswapV4Pool, UniswapV4State } from './uniswap-v4-pool.ts';

/** Uniswap V4 pools without hooks [Q26]. */
export const uniswapV4: PoolKind<UniswapV4Pool, UniswapV4State, UniswapV4Exchange> = {
  discover: discoverUniswapV4,
  poolsPerCall: 16,
  query: writeUniswapV4Query,
  readState: readUniswapV4State,
  reachBeyond: reachToEnd,
  applyLog: applyUniswapV4Log,
  isLogOf: isUniswapV4LogOf,
  simulate: simulateUniswapV4,
  curve: (state, { zeroForOne }) =>
    concentratedCurve({ ...state, fee: swapFee(state, zeroForOne) }, zeroForOne),
  midPrice: midPriceOf,
  gasOfHop: 90_000,
  ticksBetween,
  // Only pools without hooks are discovered.
  runsForeignCode: () => false,
  encodeHop: encodeUniswapV4Hop,
  publicId: ({ key }) => key.hash,
};
