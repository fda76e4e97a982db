import { describe, expect, it } from 'vitest';
import { nativeToken } from '../../swap/wire.ts';
import { findToken, isAddress } from './ask-for-quote.ts';

const token = (symbol: string, digit: string) => ({
  address: digit.length > 1 ? digit : `0x${digit.repeat(40)}`,
  symbol,
  name: `${symbol} coin`,
  decimals: 18,
});
const ether = token('ETH', nativeToken);
const [usdc, bridged, lower] = [token('USDC', '1'), token('USDC', '2'), token('usdc', '3')];

describe('findToken', () => {
  it('finds a symbol in any letter case', () => {
    expect(findToken('uSdC', [ether, usdc])).toBe(usdc);
  });

  it('respects the letter case where two symbols differ only in it', () => {
    expect(findToken('usdc', [usdc, lower])).toBe(lower);
    expect(findToken('USDC', [usdc, lower])).toBe(usdc);
  });

  it('takes the currency of the chain before a token of the same symbol', () => {
    expect(findToken('eth', [token('ETH', '9'), ether])).toBe(ether);
  });

  it('shows the choices where several tokens share the symbol', () => {
    expect(() => findToken('USDC', [usdc, bridged])).toThrow(
      `USDC is the symbol of 2 tokens: write the address of the one you mean.\n  ${usdc.address}  USDC coin\n  ${bridged.address}  USDC coin`,
    );
    expect(() => findToken('Usdc', [usdc, lower])).toThrow('2 tokens');
  });

  it('names the closest symbol and those that are known', () => {
    expect(() => findToken('usdd', [ether, usdc])).toThrow(
      'No known token of the chain has the symbol "usdd"; did you mean USDC?\nKnown symbols: ETH, USDC. Any other',
    );
    expect(() => findToken('x', [])).toThrow('Known symbols: none.');
  });

  it('tells a wrong address from a symbol that begins with 0x', () => {
    expect(() => findToken('0x1234', [ether, usdc])).toThrow(
      /^"0x1234" is not an address: write 0x and 40 hexadecimal digits, or a symbol\.$/,
    );
    const bitcoin = token('0xBTC', '5');
    expect(findToken('0xbtc', [ether, bitcoin])).toBe(bitcoin);
  });

  it('lists at most 20 symbols and the number of the others', () => {
    const many = Array.from({ length: 25 }, (_, index) => token(`T${index}`, '4'));
    expect(() => findToken('none', many)).toThrow('T19 and 5 more');
  });
});

describe('isAddress', () => {
  it('knows an address from a symbol', () => {
    expect(isAddress(nativeToken.toLowerCase())).toBe(true);
    expect(isAddress('0xBTC')).toBe(false);
  });
});
