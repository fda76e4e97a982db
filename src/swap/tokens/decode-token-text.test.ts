import type { Hex } from 'viem';
import { encodeAbiParameters, parseAbiParameters, stringToHex } from 'viem/utils';
import { expect, it } from 'vitest';
import { decodeTokenText } from './decode-token-text.ts';

const abiString = (text: string) => encodeAbiParameters(parseAbiParameters('string'), [text]);
const word = (value: number) => value.toString(16).padStart(64, '0');

it('reads a string', () => {
  expect(decodeTokenText(abiString('USD Coin'))).toBe('USD Coin');
  expect(decodeTokenText(abiString('USD₮0'))).toBe('USD₮0');
  expect(decodeTokenText(abiString(''))).toBe('');
});

it('reads text in 32 bytes [Q15]', () => {
  expect(decodeTokenText(stringToHex('MKR', { size: 32 }))).toBe('MKR');
  expect(decodeTokenText(stringToHex('A'.repeat(32)))).toBe('A'.repeat(32));
  expect(decodeTokenText(`0x${word(0)}`)).toBe('');
});

it('keeps a text to one line of 64 characters', () => {
  expect(decodeTokenText(abiString('x'.repeat(9_000)))).toBe('x'.repeat(64));
  expect(decodeTokenText(abiString('🌊'.repeat(70)))).toBe('🌊'.repeat(64));
  expect(decodeTokenText(abiString('  two\r\n\tlines  '))).toBe('two lines');
});

it('takes out what cannot be seen or turns the direction of writing', () => {
  expect(decodeTokenText(abiString('U\u0000S\u001bD\u202e\u200bC\u2066\ufeff'))).toBe('USDC');
  expect(decodeTokenText(`0x${word(32)}${word(3)}ff55fe${'00'.repeat(29)}`)).toBe('U');
});

it('reads as much as there is of a string that was cut off', () => {
  expect(decodeTokenText(abiString('x'.repeat(600)).slice(0, 2 + 2 * 96) as Hex)).toBe(
    'x'.repeat(32),
  );
});

it.each<[string, Hex]>([
  ['nothing', '0x'],
  ['a few bytes', '0x010203'],
  ['an offset beyond the end', `0x${word(4_096)}${word(3)}`],
  ['an offset without end', `0x${'f'.repeat(64)}${word(3)}`],
  ['a length without end and nothing behind it', `0x${word(32)}${'f'.repeat(64)}`],
  ['a length where there is no room for one', `0x${word(33)}${word(3)}`],
])('reads %s as no text', (_, data) => {
  expect(decodeTokenText(data)).toBe('');
});
