import { describe, expect, it } from 'vitest';
import { renderAmount } from './amount.ts';

describe('renderAmount', () => {
  it.each([
    [0n, 18, '0'],
    [10n ** 18n, 18, '1'],
    [2_990_950_000n, 6, '2,990.95'],
    [1_234_567_891_234_567_890n, 6, '1,234,567,891,234'],
    [1_999_999_999_999_999_999n, 18, '1.9999999'],
    [1n, 18, '0.000000000000000001'],
    [123_456_789_012n, 18, '0.00000012345678'],
    [42n, 0, '42'],
  ])('shows %d with %d decimals as %s', (units, decimals, text) => {
    expect(renderAmount(units, decimals)).toBe(text);
  });
});
