import { encodeAbiParameters, parseAbiParameters, toEventSelector } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import { constantProductPool } from '../../../tests/support/constant-product-pool.ts';
import type { Address } from '../model.ts';
import {
  applyConstantProductLog,
  type ConstantProductState,
  simulateConstantProduct,
} from './constant-product.ts';
import { poolId } from './pool.ts';

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

const pool = constantProductPool({
  reserve0: 5n * 10n ** 18n,
  reserve1: 10n ** 19n,
  feeNumerator: 997n,
  feeDenominator: 1000n,
});

describe('simulateConstantProduct', () => {
  it('gives what the pair gives and keeps the fee in the reserves [Q13]', () => {
    // A vector of the contract's own test suite (Uniswap v2-core, UniswapV2Pair.spec.ts).
    expect(simulateConstantProduct(pool, { zeroForOne: true, amountIn: 10n ** 18n })).toEqual({
      amountInUsed: 10n ** 18n,
      amountOut: 1662497915624478906n,
      stateAfter: {
        ...pool,
        reserve0: 6n * 10n ** 18n,
        reserve1: 10n ** 19n - 1662497915624478906n,
      },
      shortfall: undefined,
    });
  });

  it('trades the other way round on the other reserves [Q13]', () => {
    const mirrored = { ...pool, reserve0: pool.reserve1, reserve1: pool.reserve0 };
    const there = simulateConstantProduct(mirrored, { zeroForOne: false, amountIn: 10n ** 18n });
    expect(there.amountOut).toBe(1662497915624478906n);
    expect(there.stateAfter.reserve1).toBe(6n * 10n ** 18n);
  });

  it('applies the fee of a fork [Q13]', () => {
    const fork = { ...pool, feeNumerator: 9975n, feeDenominator: 10_000n };
    const { amountOut } = simulateConstantProduct(fork, { zeroForOne: true, amountIn: 10n ** 18n });
    expect(amountOut).toBe((9975n * 10n ** 19n) / (5n * 10_000n + 9975n));
  });

  it('leaves the state it was given alone', () => {
    const before = structuredClone(pool);
    simulateConstantProduct(pool, { zeroForOne: true, amountIn: 10n ** 18n });
    expect(pool).toEqual(before);
  });

  it.each([0n, 1n])('takes nothing of %i, which gives nothing [Q13]', (amountIn) => {
    const poor = { ...pool, reserve1: 10n };
    expect(simulateConstantProduct(poor, { zeroForOne: true, amountIn })).toEqual({
      amountInUsed: 0n,
      amountOut: 0n,
      stateAfter: poor,
      shortfall: 'no-output',
    });
  });

  it('takes nothing when a reserve is empty [Q13]', () => {
    for (const empty of [{ reserve0: 0n }, { reserve1: 0n }]) {
      const { shortfall } = simulateConstantProduct(
        { ...pool, ...empty },
        { zeroForOne: true, amountIn: 10n ** 18n },
      );
      expect(shortfall).toBe('liquidity-exhausted');
    }
  });

  it('fills the reserve up to the maximum of uint112 and takes nothing of a larger amount [Q13]', () => {
    const room = 2n ** 112n - 1n - pool.reserve0;
    const full = simulateConstantProduct(pool, { zeroForOne: true, amountIn: room });
    expect(full.stateAfter.reserve0).toBe(2n ** 112n - 1n);
    const over = simulateConstantProduct(pool, { zeroForOne: true, amountIn: room + 1n });
    expect(over).toMatchObject({ amountInUsed: 0n, shortfall: 'reserve-overflow' });
  });
});
