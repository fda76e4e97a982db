import type { Address } from '../../src/swap/model.ts';
import { poolId } from '../../src/swap/pools/pool.ts';
import type { SolidlyState } from '../../src/swap/pools/solidly/simulate.ts';

export type SolidlySettings = {
  readonly isStable: boolean;
  readonly decimals0: number;
  readonly decimals1: number;
  readonly reserve0: bigint;
  readonly reserve1: bigint;
};

/** The state of a pair with these reserves and the fee of Dystopia. */
export function solidlyPair(pair: SolidlySettings): SolidlyState {
  return {
    kind: 'solidly',
    id: poolId(address('a')),
    address: address('a'),
    token0: address('1'),
    token1: address('2'),
    blockNumber: 7n,
    generation: 'solidly',
    isStable: pair.isStable,
    reserve0: pair.reserve0,
    reserve1: pair.reserve1,
    unit0: 10n ** BigInt(pair.decimals0),
    unit1: 10n ** BigInt(pair.decimals1),
    feeBps: 5n,
  };
}

function address(digit: string): Address {
  return `0x${digit.repeat(40)}` as Address;
}
