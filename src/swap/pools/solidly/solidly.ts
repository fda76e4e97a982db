import type { PoolKind } from '../pool-kind.ts';
import { solidlyCurve, solidlyMidPrice } from './curve.ts';
import { discoverSolidly } from './discover.ts';
import { readSolidlyState, writeSolidlyQuery } from './refresh.ts';
import { simulateSolidly } from './simulate.ts';
import type { SolidlyExchange, SolidlyPool, SolidlyState } from './solidly-pool.ts';

/**
 * Solidly and the forks that kept its arithmetic, with volatile and stable pairs [Q26]. Fees are set without a
 * log of the pair, so that it is read at every block.
 */
export const solidly: PoolKind<SolidlyPool, SolidlyState, SolidlyExchange> = {
  discover: discoverSolidly,
  // 193 bytes each.
  poolsPerCall: 100,
  query: writeSolidlyQuery,
  readState: readSolidlyState,
  simulate: simulateSolidly,
  curve: solidlyCurve,
  midPrice: solidlyMidPrice,
  // The stable curve iterates, and fees are paid out with every swap.
  gasOfHop: 140_000,
  writesOnceABlock: 'cumulative-prices',
  tradesWhatArrives: true,
  // It only reads its factory.
  runsForeignCode: () => false,
  encodeHop: () => ({ number: 3, extra: '0x' }),
};
