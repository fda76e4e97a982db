import { encodeAbiParameters, keccak256 } from 'viem/utils';
import type { Address } from '../../model.ts';
import { create2Address } from '../create2-address.ts';
import { poolId, sortTokens } from '../pool.ts';
import type { PairToDiscover, PoolKind } from '../pool-kind.ts';
import {
  type ConcentratedExchange,
  type ConcentratedPool,
  type ConcentratedState,
  concentratedCurve,
  midPriceOf,
  ticksBetween,
} from './concentrated-pool.ts';
import { applyConcentratedLog } from './decode.ts';
import { reachToEnd, readConcentratedState, seenOf, writeConcentratedQuery } from './refresh.ts';
import { simulateConcentrated } from './simulate.ts';

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
  seenOf,
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

/** One pool per fee tier that an exchange can have for two tokens. Reading shows which ones exist. */
function discoverConcentrated(
  exchange: ConcentratedExchange,
  { tokens: [tokenA, tokenB] }: PairToDiscover,
): ConcentratedPool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  return exchange.feeTiers.map(({ fee, tickSpacing }) => {
    const address = computePoolAddress(exchange, { tokenA, tokenB, fee });
    return {
      kind: 'concentrated',
      id: poolId(address),
      address,
      exchange: exchange.name,
      token0,
      token1,
      tickSpacing,
      ...(exchange.callsFarm && { callsFarm: true }),
    };
  });
}

type ConcentratedPoolKey = {
  readonly tokenA: Address;
  readonly tokenB: Address;
  /** Hundredths of a basis point. */
  readonly fee: number;
};

const saltParts = [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }] as const;

/**
 * The address of the pool of two tokens and a fee, in any order of the tokens, without asking the chain:
 * `PoolAddress.computeAddress` of Uniswap's periphery. Does not check that the pool exists, nor that the exchange
 * has such a fee tier.
 */
export function computePoolAddress(
  exchange: ConcentratedExchange,
  key: ConcentratedPoolKey,
): Address {
  const tokens = sortTokens(key.tokenA, key.tokenB);
  return create2Address(exchange, keccak256(encodeAbiParameters(saltParts, [...tokens, key.fee])));
}
