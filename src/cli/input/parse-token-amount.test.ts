import { describe, expect, it } from 'vitest';
import { parseTokenAmount } from './parse-token-amount.ts';

const usdc = { symbol: 'USDC', decimals: 6 };

describe('parseTokenAmount', () => {
  it.each([
    ['1', 1_000_000n],
    ['0.000001', 1n],
    ['1.50', 1_500_000n],
    ['0.1000000000', 100_000n],
    ['123456789012345678901234567890', 123456789012345678901234567890_000000n],
  ])('reads %s exactly', (text, units) => {
    expect(parseTokenAmount(text, usdc)).toBe(units);
  });

  it('reads a token without decimals', () => {
    expect(parseTokenAmount('7', { symbol: 'NFT', decimals: 0 })).toBe(7n);
  });

  it.each(['', '.5', '1.', '1,000', '1e3', '-1', '0x1', 'all'])('refuses %j', (text) => {
    expect(() => parseTokenAmount(text, usdc)).toThrow('is not a plain number');
  });

  it('refuses more decimals than the token has, and zero', () => {
    expect(() => parseTokenAmount('0.0000001', usdc)).toThrow(
      'has 7 decimals, but USDC has only 6',
    );
    expect(() => parseTokenAmount('0.000', usdc)).toThrow('is zero');
  });
});
