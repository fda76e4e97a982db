import { encodeAbiParameters, stringToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { readTokenText } from './read-token-text.ts';

const encode = (text: string) => encodeAbiParameters([{ type: 'string' }], [text]);

describe('readTokenText', () => {
  it('reads a string and 32 padded bytes alike [Q15]', () => {
    expect(readTokenText(encode('Wrapped Ether'))).toBe('Wrapped Ether');
    expect(readTokenText(stringToHex('MKR', { size: 32 }))).toBe('MKR');
  });

  it('drops what could deceive a reader and cuts what is long', () => {
    expect(readTokenText(encode('US\u202EDC\u0000\n'))).toBe('USDC');
    expect(readTokenText(encode('x'.repeat(500)))).toHaveLength(64);
  });

  it.each([
    '0x',
    '0x1234',
    `0x${'ff'.repeat(64)}`,
    `0x${'00'.repeat(31)}20${'ff'.repeat(32)}`,
    encode(''),
  ] as const)('gives nothing for %s', (data) => {
    expect(readTokenText(data)).toBe('');
  });
});
