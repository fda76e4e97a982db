import { nativeToken, type QuoteAnswer } from '../../../swap/wire.ts';
import { findClosest } from '../../input/parse-command-line.ts';
import { UsageError } from '../../input/usage-error.ts';
import { plainText } from '../../plain-text.ts';

export type Token = NonNullable<QuoteAnswer['tokenFrom']>;

const mostShown = 20;

/** Whether a word of the command line is an address, which needs no lookup. */
export function isAddress(word: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(word);
}

/**
 * The token with this symbol. Letter case counts only if it tells two tokens apart, and the native
 * currency takes precedence over tokens of the same symbol. Throws {@link UsageError} for a symbol that
 * none has or that several share, saying what to write instead.
 */
export function findToken(symbol: string, tokens: readonly Token[]): Token {
  const loose = tokens.filter((token) => token.symbol.toLowerCase() === symbol.toLowerCase());
  const exact = loose.filter((token) => token.symbol === symbol);
  const matches = exact.length > 0 ? exact : loose;
  const match = matches.find(({ address }) => address === nativeToken) ?? matches[0];
  if (match === undefined) throw unknownSymbol(symbol, tokens);
  if (matches.length === 1 || match.address === nativeToken) return match;
  const choices = matches.map(({ address, name }) => `  ${address}  ${plainText(name)}`).join('\n');
  throw new UsageError(
    `${symbol} is the symbol of ${matches.length} tokens: write the address of the one you mean.\n${choices}`,
  );
}

function unknownSymbol(symbol: string, tokens: readonly Token[]): UsageError {
  if (/^0x/i.test(symbol)) {
    return new UsageError(
      `${JSON.stringify(symbol)} is not an address: write 0x and 40 hexadecimal digits, or a symbol.`,
    );
  }
  const symbols = [...new Set(tokens.map((token) => plainText(token.symbol)))];
  const close = findClosest(symbol.toUpperCase(), symbols);
  const shown = symbols.slice(0, mostShown).join(', ');
  const more = symbols.length > mostShown ? ` and ${symbols.length - mostShown} more` : '';
  return new UsageError(
    [
      `No known token of the chain has the symbol ${JSON.stringify(symbol)}${close === undefined ? '.' : `; did you mean ${close}?`}`,
      `Known symbols: ${shown || 'none'}${more}. Any other token can be given by its address.`,
    ].join('\n'),
  );
}
