import { describe, expect, it } from 'vitest';
import { parseSlippage } from './parameter-schemas.ts';

describe('parseSlippage', () => {
  it.each([
    ['0', 0n, 1n],
    ['-0', 0n, 1n],
    ['1', 1n, 1n],
    ['1.000', 1000n, 1000n],
    ['0.005', 5n, 1000n],
    ['5e-3', 5n, 1000n],
    ['0.5E-2', 5n, 1000n],
    ['0.01e+2', 1n, 1n],
    ['0.1', 1n, 10n],
    ['0.30000000000000004', 30000000000000004n, 10n ** 17n],
    ['5e-324', 5n, 10n ** 324n],
  ])('reads %s to the last digit', (text, numerator, denominator) => {
    expect(parseSlippage(text)).toEqual({ numerator, denominator });
  });

  it.each([
    ...['', ' ', '.5', '1.', '+0.5', '00.5', '0,5', '0.5%', '0x1', '1e', 'NaN', 'Infinity', '٠'],
    ...['1.0000000000000000000000001', '2', '1e1', '-0.1', '-1e-9', '1e-325', '1e-999999999'],
    `0.${'0'.repeat(63)}`,
  ])('refuses %j', (text) => {
    expect(parseSlippage(text)).toBeUndefined();
  });
});
