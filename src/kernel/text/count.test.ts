import { expect, test } from 'vitest';
import { count } from './count.ts';

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [2, '2 seconds'],
  [0.5, '0.5 seconds'],
])('says %d as %s', (number, text) => {
  expect(count(number, 'second')).toBe(text);
});
