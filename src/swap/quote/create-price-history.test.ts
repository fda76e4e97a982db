import { expect, it } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { swapLimits } from '../limits.ts';
import { parseAddress } from '../model.ts';
import { createPriceHistory } from './create-price-history.ts';

const pair = {
  chainId: 1,
  tokenIn: parseAddress('0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'),
  tokenOut: parseAddress('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
};

it('keeps one price a block, the newest of a bounded number [K1]', () => {
  const history = createPriceHistory(createFakeClock());
  const most = swapLimits.historyPoints.value;
  for (let block = 1; block <= most + 5; block += 1) {
    history.record(pair, { price: block, blockNumber: BigInt(block) });
    history.record(pair, { price: block * 2, blockNumber: BigInt(block) });
  }
  const points = history.read(pair);
  expect(points).toHaveLength(most);
  expect(points.at(-1)?.price).toBe(most + 5);
  expect(points[0]?.price).toBe(6);
  expect(history.read({ ...pair, chainId: 2 })).toEqual([]);
});

it('ignores zero, NaN and infinity', () => {
  const history = createPriceHistory(createFakeClock());
  for (const price of [0, Number.NaN, Number.POSITIVE_INFINITY]) {
    history.record(pair, { price, blockNumber: 1n });
  }
  expect(history.read(pair)).toEqual([]);
});
