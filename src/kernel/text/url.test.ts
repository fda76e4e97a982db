import { expect, it } from 'vitest';
import { longestRequestUrl, parseUrl } from './url.ts';

const letters = (count: number) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');

it('reads an address, also one with foreign letters', () => {
  expect(parseUrl('https://a.example/x?y=1')?.href).toBe('https://a.example/x?y=1');
  expect(parseUrl('https://bücher.example/straße')?.host).toBe('xn--bcher-kva.example');
});

it('reads a longer address where the limit is that of a request [N1]', () => {
  const long = `https://a.example/${'x'.repeat(2_048)}`;
  expect(parseUrl(long, { longest: longestRequestUrl })?.href).toBe(long);
  expect(parseUrl(`https://${letters(254)}`, { longest: longestRequestUrl })).toBeUndefined();
});

it.each([
  ['what is none', 'a.example'],
  ['more than 2,048 characters', `https://a.example/${'x'.repeat(2_048)}`],
  ['more foreign letters than a host can have', `https://${letters(254)}`],
])('reads nothing from %s [N1]', (_, text) => {
  expect(parseUrl(text)).toBeUndefined();
});
