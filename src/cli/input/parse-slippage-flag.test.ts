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

  it.each(['0.5', '1', '101%', '-1%', '.5%', '5 %', '00.5%', 'half'])('refuses %j', (text) => {
    expect(() => parseSlippageFlag(text)).toThrow('with the percent sign');
  });
});
