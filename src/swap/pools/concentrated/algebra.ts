import type { Hex } from 'viem';
import { concat, encodeAbiParameters, keccak256 } from 'viem/utils';
import type { PackedReader } from '../../chain/packed-calls.ts';
import { create2Address } from '../create2-address.ts';
import { type Create2Exchange, type Pool, poolId, sortTokens, type TickReach } from '../pool.ts';
import type { PairToDiscover, PoolKind } from '../pool-kind.ts';
import {
  concentratedCurve,
  midPriceOf,
  type TickState,
  ticksBetween,
} from './concentrated-pool.ts';
import { reachToEnd, readTicks, seenOf, usualReach, writeReach } from './refresh.ts';
import { simulateConcentrated } from './simulate.ts';

/**
 * Pools of Algebra, of the first generation and of Integral [Q26]. Between ticks they compute as Uniswap V3
 * does; Integral does not stop at the borders of bitmap words. The fee changes with time and without a log,
 * so that the pool is read at every block.
 */
export const algebra: PoolKind<AlgebraPool, AlgebraState, AlgebraExchange> = {
  discover: discoverAlgebra,
  // As many as of Uniswap V3.
  poolsPerCall: 16,
  query: writeAlgebraQuery,
  readState: readAlgebraState,
  reachBeyond: reachToEnd,
  seenOf,
  simulate: simulateConcentrated,
  curve: (state, { zeroForOne }) => concentratedCurve(state, zeroForOne),
  midPrice: midPriceOf,
  gasOfHop: 110_000,
  ticksBetween,
  writesOnceABlock: 'timepoint',
  // The plugin of Integral, and the farm of the first generation.
  runsForeignCode: () => true,
  // It has the `swap` selector of Uniswap V3, and its callback takes the same amounts in the same order.
  encodeHop: () => ({ number: 1, extra: '0x' }),
};

/**
 * `v1` is the first generation: QuickSwap V3. `v1-directional` is its last form, with a fee for each direction: Camelot V3.
 * `integral` is QuickSwap V4 and most exchanges since.
 */
export type AlgebraGeneration = 'v1' | 'v1-directional' | 'integral';

export type AlgebraExchange = Create2Exchange & {
  readonly kind: 'algebra';
  readonly generation: AlgebraGeneration;
};

type AlgebraPool = Pool & {
  readonly kind: 'algebra';
  readonly generation: AlgebraGeneration;
};

/** Ticks as in Uniswap V3, one pool for two tokens, and a fee that the pool sets by itself. */
export type AlgebraState = TickState & { readonly kind: 'algebra' };

const saltParts = [{ type: 'address' }, { type: 'address' }] as const;

/** The one pool that an exchange has for two tokens by default. Reading it shows whether it exists. */
export function discoverAlgebra(
  exchange: AlgebraExchange,
  { tokens: [tokenA, tokenB] }: PairToDiscover,
): AlgebraPool[] {
  const [token0, token1] = sortTokens(tokenA, tokenB);
  const salt = keccak256(encodeAbiParameters(saltParts, [token0, token1]));
  const address = create2Address(exchange, salt);
  return [
    {
      kind: 'algebra',
      id: poolId(address),
      address,
      exchange: exchange.name,
      token0,
      token1,
      generation: exchange.generation,
    },
  ];
}

/** The generations in the queries of `PoolReader.sol`, and how far apart ticks are in their tables. */
const generations = {
  v1: { query: '0x04', tickSpacing: 60 },
  'v1-directional': { query: '0x06', tickSpacing: 1 },
  integral: { query: '0x05', tickSpacing: 1 },
} as const;

/** The query that `PoolReader.sol` answers with the price, the fees, two trials and the ticks in reach. */
function writeAlgebraQuery({ address, generation }: AlgebraPool, reach?: TickReach): Hex {
  const { query, tickSpacing } = generations[generation];
  return concat([query, address, writeReach(reach ?? usualReach({ tickSpacing }))]);
}

/**
 * Reads the state from the rest of an answer that found the pool. The fees are those of swaps in the block that was
 * read. A plugin of the pool can charge another fee than it shows, so a pool whose trials differ from our arithmetic
 * counts as unreadable.
 */
export function readAlgebraState(
  { kind, id, address, token0, token1, generation }: AlgebraPool,
  { answer, blockNumber }: { readonly answer: PackedReader; readonly blockNumber: bigint },
): AlgebraState | 'unreadable' {
  const [fee, feeOneForZero] = [answer.number(3), answer.number(3)];
  const tickSpacing = answer.number(3);
  const sqrtPriceX96 = answer.unsigned(20);
  const tick = answer.signed(3);
  const liquidity = answer.unsigned(16);
  const trials = [true, false].map((zeroForOne) => ({
    zeroForOne,
    amountIn: answer.unsigned(16),
    amountOut: answer.unsigned(16),
  }));
  const state: AlgebraState = {
    kind,
    id,
    address,
    token0,
    token1,
    blockNumber,
    fee,
    ...(feeOneForZero === fee ? {} : { feeOneForZero }),
    tickSpacing,
    sqrtPriceX96,
    tick,
    liquidity,
    ...readTicks(answer, { sqrtPriceX96, tick, tickSpacing }),
    hasTickTree: generation === 'integral',
  };
  return trials.every((trial) => comesOut(state, trial)) ? state : 'unreadable';
}

/** Whether our swap gives what the pool itself gave for it. A swap beyond the known ticks passes. */
function comesOut(
  state: AlgebraState,
  trial: { readonly zeroForOne: boolean; readonly amountIn: bigint; readonly amountOut: bigint },
): boolean {
  if (trial.amountOut === 0n) return true;
  const { amountOut, shortfall } = simulateConcentrated(state, trial);
  return amountOut === trial.amountOut || shortfall === 'ticks-unknown';
}
