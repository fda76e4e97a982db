import { encodeAbiParameters, keccak256 } from 'viem/utils';
import { create2Address } from '../create2-address.ts';
import { type Create2Exchange, type Pool, poolId, sortTokens } from '../pool.ts';
import type { PairToDiscover, PoolKind } from '../pool-kind.ts';
import {
  concentratedCurve,
  midPriceOf,
  type TickState,
  ticksBetween,
} from './concentrated-pool.ts';
import { reachToEnd, readConcentratedState, seenOf, writeConcentratedQuery } from './refresh.ts';
import { simulateConcentrated } from './simulate.ts';

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
  seenOf,
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

type SlipstreamExchange = Create2Exchange & {
  readonly kind: 'slipstream';
  /** Two tokens have one pool for each of these. */
  readonly tickSpacings: readonly number[];
};

type SlipstreamPool = Pool & {
  readonly kind: 'slipstream';
  readonly tickSpacing: number;
};

/** Ticks as in Uniswap V3, and a fee that the factory sets for each pool. */
type SlipstreamState = TickState & { readonly kind: 'slipstream' };

const saltParts = [{ type: 'address' }, { type: 'address' }, { type: 'int24' }] as const;

/** The pools that an exchange can have for two tokens, one for each tick spacing. Reading tells which exist. */
function discoverSlipstream(
  exchange: SlipstreamExchange,
  { tokens: [tokenA, tokenB] }: PairToDiscover,
): SlipstreamPool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  return exchange.tickSpacings.map((tickSpacing) => {
    const salt = keccak256(encodeAbiParameters(saltParts, [token0, token1, tickSpacing]));
    const address = create2Address(exchange, salt);
    return {
      kind: 'slipstream',
      id: poolId(address),
      address,
      exchange: exchange.name,
      token0,
      token1,
      tickSpacing,
    };
  });
}
