import { expect, it } from 'vitest';
import { answerUrl, createUserCode, normalizeUserCode } from './interactions.ts';

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

const iss = 'https://tradewind.example.com';

it.each([
  ['https://a.example/cb', 'https://a.example/cb?code=1&iss='],
  ['https://a.example', 'https://a.example/?code=1&iss='],
  ['https://a.example/cb?x=%20a&y', 'https://a.example/cb?x=%20a&y&code=1&iss='],
])('adds the answer to %s and leaves it as it was [L6]', (redirectUri, expected) => {
  const { href } = answerUrl(redirectUri, { code: '1', state: undefined, iss });
  expect(href).toBe(`${expected}${encodeURIComponent(iss)}`);
});
