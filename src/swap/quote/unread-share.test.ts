import { expect, it } from 'vitest';
import type { RoutedChoice } from './search/choose-route.ts';
import { unreadShare } from './unread-share.ts';

const choice = (amountOut: bigint, isPartial = false) =>
  ({ route: { amountIn: 1_000n, amountOut, isPartial }, midPrice: 2 }) as unknown as RoutedChoice;

it('is what a trade loses against the mid price, and all where no route takes the whole amount [Q50]', () => {
  expect(unreadShare(choice(1_900n))).toBeCloseTo(0.05, 12);
  expect(unreadShare(choice(2_000n))).toBe(0);
  expect(unreadShare(choice(2_001n))).toBe(0);
  expect(unreadShare(choice(1_900n, true))).toBe(1);
  expect(unreadShare(undefined)).toBe(1);
});
