import { expect, test } from 'vitest';
import { apeChain } from '../deployments/chains/apechain.ts';
import { polygon } from '../deployments/chains/polygon.ts';
import { explainNoRoute } from './find-swap.ts';

test.each([{}, { amountOut: 1n }])(
  'a chain whose exchanges only the executor reaches says how to deploy it, asked for %o [Q23, Q28]',
  (asked) => {
    expect(explainNoRoute(apeChain, asked)).toContain('"tradewind router deploy --chain 33139"');
    expect(explainNoRoute(polygon, asked)).toMatch(/^(No pool|The pools)/);
  },
);
