import { encodeAbiParameters, parseAbiParameters, toEventSelector } from 'viem/utils';
import { expect, it } from 'vitest';
import type { Address } from '../../model.ts';
import { poolId } from '../pool.ts';
import type { ConstantProductState } from './constant-product-pool.ts';
import { applyConstantProductLog } from './decode.ts';

const address = `0x${'ab'.repeat(20)}` as Address;
const state: ConstantProductState = {
  kind: 'constant-product',
  id: poolId(address),
  address,
  token0: address,
  token1: address,
  blockNumber: 1n,
  reserve0: 1n,
  reserve1: 2n,
  feeNumerator: 997n,
  feeDenominator: 1000n,
};
const twoNumbers = encodeAbiParameters(parseAbiParameters('uint256, uint256'), [3n, 4n]);

it('takes the reserves from a sync', () => {
  const topics = [toEventSelector('Sync(uint112,uint112)')];
  expect(applyConstantProductLog(state, { address, topics, data: twoNumbers })).toEqual({
    ...state,
    reserve0: 3n,
    reserve1: 4n,
  });
});

it('leaves the pool as it is when its shares change hands', () => {
  const padded = `0x${'0'.repeat(64)}` as const;
  const topics = [toEventSelector('Transfer(address,address,uint256)'), padded, padded];
  const data = encodeAbiParameters(parseAbiParameters('uint256'), [3n]);
  expect(applyConstantProductLog(state, { address, topics, data })).toBe(state);
});

it('discards the state on a log that no pair emits', () => {
  const topics = [toEventSelector('Sync(uint256,uint256)')];
  expect(applyConstantProductLog(state, { address, topics, data: twoNumbers })).toBeUndefined();
});
