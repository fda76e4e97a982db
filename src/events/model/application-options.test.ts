import { expect, test } from 'vitest';
import { swapOptions } from './application-options.ts';

const [tokenIn, tokenOut] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
const pair = `//swap/chains/1/pairs/${tokenIn}-${tokenOut}`;

test('a pair has by default a threshold of one percent and no interval [E14.12]', () => {
  const value = { thresholdBps: 100, intervalSeconds: 0 };
  expect(swapOptions.read(pair, undefined)).toEqual({ value });
  expect(swapOptions.read(pair, {})).toEqual({ value });
});

test('takes the options of a pair as they are [E14.12]', () => {
  const value = { amount: '5000000', thresholdBps: 0, intervalSeconds: 60 };
  expect(swapOptions.read(pair, value)).toEqual({ value });
});

test('refuses the options on targets other than pairs [E14.12]', () => {
  const { violations } = swapOptions.read('//swap/chains/1', { thresholdBps: 1 });
  expect(violations).toMatchObject([{ field: 'swapOptions' }]);
  expect(swapOptions.read('//swap/chains/1', undefined)).toEqual({});
});

test.each([
  ['amount', { amount: '0' }],
  ['amount', { amount: '1.5' }],
  ['amount', { amount: '-1' }],
  ['amount', { amount: `${2n ** 256n}` }],
  ['thresholdBps', { thresholdBps: -1 }],
  ['thresholdBps', { thresholdBps: 10_001 }],
  ['intervalSeconds', { intervalSeconds: -1 }],
  ['intervalSeconds', { intervalSeconds: 604_801 }],
])('refuses %s out of range: %j [E14.12]', (name, options) => {
  expect(swapOptions.read(pair, options).violations).toMatchObject([
    { field: `swapOptions.${name}` },
  ]);
});
