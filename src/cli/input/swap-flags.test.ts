import { describe, expect, it } from 'vitest';
import { parseSlippageFlag, parseTokenAmount } from './swap-flags.ts';

describe('parseSlippageFlag', () => {
  it.each([
    ['0.5%', '0.5e-2'],
    ['0%', '0e-2'],
    ['12.25%', '12.25e-2'],
    ['100%', '100e-2'],
  ])('writes %s as the interface takes it', (text, slippage) => {
    expect(parseSlippageFlag(text)).toBe(slippage);
  });

  it.each(['0.5', '1', '100'])('asks for the percent sign of %j', (text) => {
    expect(() => parseSlippageFlag(text)).toThrow(
      `The slippage "${text}" has no percent sign: write it as in --slippage 0.5%.`,
    );
  });

  it.each(['101%', '200%', '200', '-1%', '.5%', '5 %', '00.5%', 'half'])('refuses %j', (text) => {
    expect(() => parseSlippageFlag(text)).toThrow(
      `The slippage "${text}" is not a percentage from 0% to 100%: write it as in --slippage 0.5%.`,
    );
  });
});

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
