import type { Hex } from 'viem';
import { concat } from 'viem/utils';
import type { PackedReader } from '../../chain/packed-calls.ts';
import { readTicks, usualReach, writeReach } from '../concentrated/refresh.ts';
import { simulateConcentrated } from '../concentrated/simulate.ts';
import type { TickReach } from '../pool.ts';
import type { AlgebraPool, AlgebraState } from './algebra-pool.ts';

/** The generations in the queries of `PoolReader.sol`, and how far apart ticks are in their tables. */
const generations = {
  v1: { query: '0x04', tickSpacing: 60 },
  'v1-directional': { query: '0x06', tickSpacing: 1 },
  integral: { query: '0x05', tickSpacing: 1 },
} as const;

/** The query that `PoolReader.sol` answers with the price, the fees, two trials and the ticks in reach. */
export function writeAlgebraQuery({ address, generation }: AlgebraPool, reach?: TickReach): Hex {
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
