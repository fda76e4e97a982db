import { withoutTrailing } from '../../kernel/text/without-trailing.ts';

const significantDigits = 8;

/**
 * Whole tokens for people: thousands grouped, cut (never rounded up) after eight digits that matter.
 * The exact amount is in the JSON.
 */
export function renderAmount(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  const leadingZeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  const places =
    whole === '0'
      ? leadingZeros + significantDigits
      : Math.max(0, significantDigits - whole.length);
  const shown = withoutTrailing(fraction.slice(0, places), '0');
  const grouped = BigInt(whole).toLocaleString('en-US');
  return shown === '' ? grouped : `${grouped}.${shown}`;
}
