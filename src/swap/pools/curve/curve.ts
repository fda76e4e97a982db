import { numberToHex } from 'viem/utils';
import type { PoolKind } from '../pool-kind.ts';
import { curveMidPrice, curveOf } from './curve-of.ts';
import type { CurveExchange, CurvePool, CurveState } from './curve-pool.ts';
import { discoverCurve } from './discover.ts';
import { readCurveState, writeCurveQuery } from './refresh.ts';
import { simulateCurve } from './simulate.ts';

/**
 * Curve's first plain pools. Every two coins of one are a pool of their own here [Q26]. Their settings change
 * without a log of the state, so that they are read at every block.
 */
export const curve: PoolKind<CurvePool, CurveState, CurveExchange> = {
  discover: discoverCurve,
  // Some 300 bytes each.
  poolsPerCall: 60,
  query: writeCurveQuery,
  readState: readCurveState,
  simulate: simulateCurve,
  curve: curveOf,
  midPrice: curveMidPrice,
  // Two iterations, an allowance of its own, and transfers to and from the executor.
  gasOfHop: 180_000,
  // Any token may be one of its coins, and old pools call their coins whatever they are.
  runsForeignCode: () => true,
  encodeHop: ({ index0, index1 }, zeroForOne) => {
    const [sold, bought] = zeroForOne ? [index0, index1] : [index1, index0];
    return { number: 4, extra: numberToHex(sold * 256 + bought, { size: 2 }) };
  },
};
