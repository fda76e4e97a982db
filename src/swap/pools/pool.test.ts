import { expect, test } from 'vitest';
import { parseAddress } from '../model.ts';
import { sortTokens } from './pool.ts';

test('sorts tokens by number, not by the letters of their checksums', () => {
  const usdc = parseAddress('0xaf88d065e77c8cC2239327C5EDb3A432268e5831');
  const wavax = parseAddress('0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7');
  expect(sortTokens(usdc, wavax)).toEqual([usdc, wavax]);
  expect(sortTokens(wavax, usdc)).toEqual([usdc, wavax]);
});
