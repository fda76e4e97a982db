import { describe, expect, it } from 'vitest';
import { planConcentratedPool, planConstantProductPool } from './plan-pool.ts';

const ether = {
  address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  decimals: 18,
  dollars: 3_000n,
} as const;
const dollar = {
  address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  decimals: 6,
  dollars: 1n,
} as const;
const pool = { tokens: ['WETH', 'USDC'], depth: 6n, premium: 1_000n } as const;

describe('planConstantProductPool', () => {
  it('lays the depth on both sides, the first token at its premium', () => {
    expect(planConstantProductPool(pool, [ether, dollar])).toEqual({
      tokens: [ether.address, dollar.address],
      reserves: [2n * 10n ** 18n, 6_006n * 10n ** 6n],
    });
  });
});

describe('planConcentratedPool', () => {
  it('sorts the tokens and prices token0 in token1', () => {
    const plan = planConcentratedPool({ ...pool, fee: 500 }, [ether, dollar]);
    expect([plan.token0, plan.token1]).toEqual([dollar.address, ether.address]);
    // One unit of USDC costs 10^12 / 3003 wei.
    const price = (Number(plan.sqrtPriceX96) / 2 ** 96) ** 2;
    expect(price).toBeCloseTo(1e12 / 3003, -2);
  });

  it.each([100, 500, 3000, 10000] as const)(
    'keeps the positions of fee %i on its ticks and around the price',
    (fee) => {
      const spacing = { 100: 1, 500: 10, 3000: 60, 10000: 200 }[fee];
      const { positions, sqrtPriceX96 } = planConcentratedPool({ ...pool, fee }, [ether, dollar]);
      const tick = (2 * Math.log(Number(sqrtPriceX96) / 2 ** 96)) / Math.log(1.0001);
      for (const { tickLower, tickUpper } of positions) {
        expect(Math.abs(tickLower % spacing)).toBe(0);
        expect(Math.abs(tickUpper % spacing)).toBe(0);
        expect(tickLower).toBeLessThan(tick);
        expect(tickUpper).toBeGreaterThan(tick);
      }
      expect(positions.length).toBeGreaterThan(2);
    },
  );

  it('gives a narrow pool one position', () => {
    const narrow = { ...pool, fee: 3000, isNarrow: true } as const;
    expect(planConcentratedPool(narrow, [ether, dollar]).positions).toHaveLength(1);
  });
});
