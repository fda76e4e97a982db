import { expect, test } from 'vitest';
import { readSwapOptions } from './read-swap-options.ts';

const [tokenIn, tokenOut] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
const pair = `//swap/chains/1/pairs/${tokenIn}-${tokenOut}`;

test('a pair is watched for one whole unit and moves of one percent, if nothing else is said [E14.12]', () => {
  expect(readSwapOptions(pair, undefined)).toEqual({ thresholdBps: 100, intervalSeconds: 0 });
  expect(readSwapOptions(pair, {})).toEqual({ thresholdBps: 100, intervalSeconds: 0 });
});

test('takes the options of a pair as they are [E14.12]', () => {
  const options = { amount: '5000000', thresholdBps: 0, intervalSeconds: 60 };
  expect(readSwapOptions(pair, options)).toEqual(options);
});

test('refuses the options on other targets [E14.12]', () => {
  for (const target of ['//swap/chains/1', '//drive.googleapis.com/files/f']) {
    expect(() => readSwapOptions(target, { thresholdBps: 1 })).toThrow(/swapOptions belongs/);
    expect(readSwapOptions(target, undefined)).toBeUndefined();
  }
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
  expect(() => readSwapOptions(pair, options)).toThrow(new RegExp(`swapOptions\\.${name} must be`));
});
