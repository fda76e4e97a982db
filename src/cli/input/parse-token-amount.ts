import { withoutTrailing } from '../../kernel/text/without-trailing.ts';
import { UsageError } from './usage-error.ts';

/**
 * Reads a whole-token amount, such as `1.5`, into the token's smallest unit, exactly. Throws
 * {@link UsageError} for anything that is not a plain decimal number above zero, and for more
 * decimals than the token has, which rounding would hide.
 */
export function parseTokenAmount(
  text: string,
  { symbol, decimals }: { symbol: string; decimals: number },
): bigint {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) {
    throw new UsageError(
      `The amount ${JSON.stringify(text)} is not a plain number: write it as in 1 or 0.25.`,
    );
  }
  const [, whole = '', fraction = ''] = match;
  const significant = withoutTrailing(fraction, '0');
  if (significant.length > decimals) {
    throw new UsageError(
      `The amount ${text} has ${significant.length} decimals, but ${symbol} has only ${decimals}: shorten it.`,
    );
  }
  const units = BigInt(whole + significant.padEnd(decimals, '0'));
  if (units === 0n) throw new UsageError(`The amount ${text} is zero: give an amount above 0.`);
  return units;
}
