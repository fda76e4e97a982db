import { expect, it } from 'vitest';
import { createUserCode, normalizeUserCode } from './user-code.ts';

it('is eight letters without vowels, however often bytes must be drawn again', () => {
  let byte = 230;
  const random = {
    bytes: (length: number) => new Uint8Array(length).map(() => byte++ % 256),
    fraction: () => 0,
  };
  expect(createUserCode(random)).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
});

it.each(['WDJB-MJHT', 'wdjbmjht', ' wdjb mjht '])('is understood as %j', (typed) => {
  expect(normalizeUserCode(typed)).toBe('WDJBMJHT');
});
