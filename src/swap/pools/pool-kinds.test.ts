import { expect, it } from 'vitest';
import { concentratedPool } from '../../../tests/support/concentrated-pool.ts';
import { constantProductPool } from '../../../tests/support/constant-product-pool.ts';
import { simulateSwap } from './pool-kinds.ts';

const ether = 10n ** 18n;

it('swaps in every kind of pool, and alike where the curve is the same [Q18]', () => {
  const constantProduct = constantProductPool({
    reserve0: 2n * ether,
    reserve1: 2n * ether,
    feeNumerator: 997n,
    feeDenominator: 1000n,
  });
  const concentrated = concentratedPool({
    fee: 3000,
    tickSpacing: 60,
    sqrtPriceX96: 1n << 96n,
    positions: [{ tickLower: -887_220, tickUpper: 887_220, liquidity: 2n * ether }],
  });
  for (const pool of [constantProduct, concentrated]) {
    const { amountOut, stateAfter } = simulateSwap(pool, { zeroForOne: true, amountIn: ether });
    expect(amountOut).toBe(665331998665331998n);
    expect(stateAfter.kind).toBe(pool.kind);
  }
});
