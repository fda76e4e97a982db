import { expect, it } from 'vitest';
import { formatShare } from './format.ts';

it.each([
  [0, '0.00%'],
  [0.000_000_3, 'under 0.01%'],
  [0.000_099, 'under 0.01%'],
  [0.0001, '0.01%'],
  [0.25, '25.00%'],
])('writes the share %d as %s', (share, text) => {
  expect(formatShare(share, 2)).toBe(text);
});
