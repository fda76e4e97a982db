import type { PoolKind } from '../pool-kind.ts';
import type {
  ConcentratedExchange,
  ConcentratedPool,
  ConcentratedState,
} from './concentrated-pool.ts';
import { concentratedCurve } from './curve.ts';
import { applyConcentratedLog } from './decode.ts';
import { discoverConcentrated } from './discover.ts';
import { midPriceOf } from './mid-price-of.ts';
import { reachToEnd, readConcentratedState, writeConcentratedQuery } from './refresh.ts';
import { simulateConcentrated } from './simulate.ts';
import { ticksBetween } from './ticks-between.ts';

/** Uniswap V3 and its forks. */
export const concentrated: PoolKind<ConcentratedPool, ConcentratedState, ConcentratedExchange> = {
  discover: discoverConcentrated,
  // A busy pool takes about 2,500 bytes and most candidates take one, because they do not exist.
  poolsPerCall: 16,
  query: writeConcentratedQuery,
  readState: (pool, answer) => ({
    ...readConcentratedState(pool, answer),
    ...(pool.callsFarm && { callsFarm: true }),
  }),
  reachBeyond: reachToEnd,
  applyLog: applyConcentratedLog,
  simulate: simulateConcentrated,
  curve: (state, { zeroForOne }) => concentratedCurve(state, zeroForOne),
  midPrice: midPriceOf,
  gasOfHop: 75_000,
  ticksBetween,
  writesOnceABlock: 'observation',
  runsForeignCode: ({ callsFarm }) => callsFarm === true,
  encodeHop: () => ({ number: 1, extra: '0x' }),
  uniswapLeg: ({ fee }) => ({ version: 3, fee }),
};
