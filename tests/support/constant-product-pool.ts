import type { Address } from '../../src/swap/model.ts';
import type { ConstantProductState } from '../../src/swap/pools/constant-product.ts';
import { poolId } from '../../src/swap/pools/pool.ts';

export type ConstantProductSettings = Pick<
  ConstantProductState,
  'reserve0' | 'reserve1' | 'feeNumerator' | 'feeDenominator'
>;

/** The state of a pool with these reserves and this fee. */
export function constantProductPool(pool: ConstantProductSettings): ConstantProductState {
  return {
    kind: 'constant-product',
    id: poolId(address('a')),
    address: address('a'),
    token0: address('1'),
    token1: address('2'),
    blockNumber: 7n,
    ...pool,
  };
}

function address(digit: string): Address {
  return `0x${digit.repeat(40)}` as Address;
}
