import { expect, test } from 'vitest';
import { findRawInput } from './raw-input.ts';

const find = (content: string) => findRawInput('a.ts', content).map(({ what }) => what);

test.each([
  ['new URL(request.url)', 'new URL'],
  ['decodeURIComponent(segment)', 'decodeURIComponent'],
  ['BigInt(text)', 'BigInt'],
  ['JSON.parse(body)', 'JSON.parse'],
  ['new Date(given).toISOString()', 'toISOString'],
  ['incoming.headers.host', 'incoming.headers'],
])('%s is found, since it throws for what a caller may write [N16]', (content, what) => {
  expect(find(content)).toEqual([what]);
});

test('literals and the parsed value are not found [N16]', () => {
  expect(find("new URL('http://a'); BigInt(2); request.address.query; parseUrl(text)")).toEqual([]);
});
