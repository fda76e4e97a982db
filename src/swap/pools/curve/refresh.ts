import type { Hex } from 'viem';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import { type PackedReader, writeCallsQuery } from '../../chain/packed-calls.ts';
import { poolId } from '../pool.ts';
import type { CurvePool, CurveState } from './curve-pool.ts';
import { simulateCurve } from './simulate.ts';

const abi = parseAbi([
  'function A() view returns (uint256)',
  'function fee() view returns (uint256)',
  'function admin_fee() view returns (uint256)',
  'function balances(int128 coin) view returns (uint256)',
  'function get_dy(int128 sold, int128 bought, uint256 amount) view returns (uint256)',
]);

const settings: readonly Hex[] = [
  encodeFunctionData({ abi, functionName: 'A' }),
  encodeFunctionData({ abi, functionName: 'fee' }),
  encodeFunctionData({ abi, functionName: 'admin_fee' }),
];

/** The query that `PoolReader.sol` answers with settings and balances, and with what a whole token is worth. */
export function writeCurveQuery(pool: CurvePool): Hex {
  const { address, coins, index0, index1 } = pool;
  const balances = coins.map((_, index) =>
    encodeFunctionData({ abi, functionName: 'balances', args: [BigInt(index)] }),
  );
  const args = [BigInt(index0), BigInt(index1), wholeToken0(pool)] as const;
  const worth = encodeFunctionData({ abi, functionName: 'get_dy', args });
  return writeCallsQuery(
    address,
    [...settings, ...balances, worth].map((data) => ({ to: address, data, words: 1 })),
  );
}

/**
 * Reads the state from the rest of an answer that found the pool. Many kinds of Curve pools have the same getters:
 * a pool whose output for a whole token differs from ours is unreadable.
 */
export function readCurveState(
  pool: CurvePool,
  { answer, blockNumber }: { readonly answer: PackedReader; readonly blockNumber: bigint },
): CurveState | 'unreadable' {
  const { kind, id, address, token0, token1, coins, index0, index1 } = pool;
  const amplification = answer.unsigned(32);
  const fee = answer.unsigned(32);
  const adminFee = answer.unsigned(32);
  const balances = coins.map(() => answer.unsigned(32));
  const worth = answer.unsigned(32);
  const state: CurveState = {
    kind,
    id,
    group: poolId(address),
    address,
    token0,
    token1,
    blockNumber,
    balances,
    rates: coins.map(({ decimals }) => 10n ** BigInt(36 - decimals)),
    amplification,
    fee,
    adminFee,
    index0,
    index1,
  };
  if (amplification === 0n || fee >= 10n ** 10n) return 'unreadable';
  const offer = { zeroForOne: true, amountIn: wholeToken0(pool) };
  const difference = worth - simulateCurve(state, offer).amountOut;
  // `get_dy` takes the fee after it has rounded, `exchange` before.
  return difference >= -1n && difference <= 1n ? state : 'unreadable';
}

function wholeToken0({ coins, index0 }: CurvePool): bigint {
  return 10n ** BigInt(coins[index0]?.decimals ?? 0);
}
