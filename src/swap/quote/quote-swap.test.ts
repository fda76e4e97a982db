import { expect, test } from 'vitest';
import { apeChain } from '../deployments/chains/apechain.ts';
import { polygon } from '../deployments/chains/polygon.ts';
import { explainNoPool } from './quote-swap.ts';

test('a chain whose exchanges only the executor reaches says how to deploy it [Q23, Q28]', () => {
  expect(explainNoPool(apeChain)).toContain('"tradewind router deploy --chain 33139"');
  expect(explainNoPool(polygon)).toBe('No pool connects the two tokens with an output.');
});
