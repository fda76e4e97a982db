import { swapLimits } from '../../limits.ts';
import type { Slippage } from '../../quote/quote.ts';

// The grammar of a JSON number (RFC 8259, section 6).
const jsonNumber = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
// Exact fractions grow with text and exponent, so both are bounded: 324 is the smallest exponent of a
// float64, which is what "number" means to nearly every client, and 64 characters hold any sane limit.
const longestText = swapLimits.slippageText.value;
const largestExponent = 324;

/**
 * Reads a slippage limit exactly from its decimal text: `0.005` is 5/1000, `5e-3` is the same. Takes what JSON takes
 * as a number, from 0 to 1, and returns undefined for everything else: `.5`, `+1`, `1%`.
 */
export function parseSlippage(text: string): Slippage | undefined {
  if (text.length > longestText) return undefined;
  const [, sign, whole = '', fraction = '', exponentText = '0'] = jsonNumber.exec(text) ?? [];
  const exponent = Number(exponentText) - fraction.length;
  if (sign === undefined || Math.abs(exponent) > largestExponent) return undefined;
  const digits = BigInt(whole + fraction);
  const numerator = exponent > 0 ? digits * 10n ** BigInt(exponent) : digits;
  const denominator = exponent < 0 ? 10n ** BigInt(-exponent) : 1n;
  const isNegative = sign === '-' && numerator > 0n;
  return isNegative || numerator > denominator ? undefined : { numerator, denominator };
}
