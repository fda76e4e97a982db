import { concentratedCurve } from '../concentrated/curve.ts';
import { midPriceOf } from '../concentrated/mid-price-of.ts';
import {
  reachToEnd,
  readConcentratedState,
  writeConcentratedQuery,
} from '../concentrated/refresh.ts';
import { simulateConcentrated } from '../concentrated/simulate.ts';
import { ticksBetween } from '../concentrated/ticks-between.ts';
import type { PoolKind } from '../pool-kind.ts';
import { discoverSlipstream } from './discover.ts';
import type { SlipstreamExchange, SlipstreamPool, SlipstreamState } from './slipstream-pool.ts';

/**
 * Slipstream: the concentrated pools of Velodrome and Aerodrome [Q26]. They compute as Uniswap V3 does. The fee
 * changes with time and without a log of the pool, so that it is read at every block.
 */
export const slipstream: PoolKind<SlipstreamPool, SlipstreamState, SlipstreamExchange> = {
  discover: discoverSlipstream,
  // As many as of Uniswap V3.
  poolsPerCall: 16,
  query: writeConcentratedQuery,
  readState: readConcentratedState,
  reachBeyond: reachToEnd,
  simulate: simulateConcentrated,
  curve: (state, { zeroForOne }) => concentratedCurve(state, zeroForOne),
  midPrice: midPriceOf,
  // Behind a proxy; it asks its factory for the fee, and pays rewards out to gauges.
  gasOfHop: 130_000,
  ticksBetween,
  writesOnceABlock: 'observation',
  // The modules that set its fee are only read.
  runsForeignCode: () => false,
  // Its selector and that of its callback are those of Uniswap V3.
  encodeHop: () => ({ number: 1, extra: '0x' }),
};
