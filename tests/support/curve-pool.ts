import type { Address } from '../../src/swap/model.ts';
import type { CurveState } from '../../src/swap/pools/curve/simulate.ts';
import { poolId } from '../../src/swap/pools/pool.ts';

/** The state of a pool with these balances, for a trade between its first two coins. */
export function curvePool({
  decimals,
  ...pool
}: Pick<CurveState, 'balances' | 'amplification' | 'fee' | 'adminFee'> & {
  readonly decimals: readonly number[];
}): CurveState {
  return {
    kind: 'curve',
    id: poolId(address('a')),
    address: address('a'),
    token0: address('1'),
    token1: address('2'),
    blockNumber: 7n,
    ...pool,
    rates: decimals.map((digits) => 10n ** BigInt(36 - digits)),
    index0: 0,
    index1: 1,
  };
}

function address(digit: string): Address {
  return `0x${digit.repeat(40)}` as Address;
}
