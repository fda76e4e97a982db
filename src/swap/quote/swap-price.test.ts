import { describe, expect, it } from 'vitest';
import { priceImpact } from './present-quote.ts';
import { ratio, swapPrice } from './swap-price.ts';

describe('swapPrice', () => {
  it('is in whole units, decimals applied [Q4]', () => {
    const ether = { amount: 2n * 10n ** 18n, decimals: 18 };
    const dollars = { amount: 6_000n * 10n ** 6n, decimals: 6 };
    expect(swapPrice(ether, dollars)).toBeCloseTo(3_000, 9);
    expect(swapPrice(dollars, ether)).toBeCloseTo(1 / 3_000, 12);
  });

  it('is the float nearest to the quotient, so that it is written without stray digits', () => {
    const received = { amount: 2_995_104_269n, decimals: 6 };
    expect(swapPrice({ amount: 10n ** 18n, decimals: 18 }, received)).toBe(2995.104269);
  });

  it('stays finite for amounts that a float cannot hold', () => {
    expect(ratio(10n ** 400n, 10n ** 399n)).toBeCloseTo(10, 12);
    expect(ratio(1n, 10n ** 30n)).toBe(1e-30);
    expect(ratio(10n ** 320n, 10n ** 330n)).toBe(1e-10);
  });
});

describe('priceImpact', () => {
  it('is zero where dust pools give more than the mid price [Q30]', () => {
    expect(priceImpact(2.1, 2)).toBe(0);
  });

  it('is positive when the sender gets less than the mid price [Q4]', () => {
    expect(priceImpact(1.9, 2)).toBeCloseTo(0.05, 12);
  });
});
