import { expect, it } from 'vitest';
import { answerUrl } from './answer-url.ts';

const iss = 'https://tradewind.example.com';

it.each([
  ['https://a.example/cb', 'https://a.example/cb?code=1&iss='],
  ['https://a.example', 'https://a.example/?code=1&iss='],
  ['https://a.example/cb?x=%20a&y', 'https://a.example/cb?x=%20a&y&code=1&iss='],
])('adds the answer to %s and leaves it as it was [L6]', (redirectUri, expected) => {
  const { href } = answerUrl(redirectUri, { code: '1', state: undefined, iss });
  expect(href).toBe(`${expected}${encodeURIComponent(iss)}`);
});
