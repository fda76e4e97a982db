import { describe, expect, it } from 'vitest';
import { parseSlippageFlag } from './parse-slippage-flag.ts';

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
