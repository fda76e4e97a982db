import { now } from './clock.ts';

/** A moment in the reader's own zone and language (K15). */
export function formatTime(moment: string | number): string {
  return new Date(moment).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** The same in few characters: only the time of day if it is today, with the year only if it is another year. */
export function formatShortly(moment: string): string {
  const [date, today] = [new Date(moment), new Date(now())];
  if (date.toDateString() === today.toDateString()) return formatClock(date.getTime());
  return date.toLocaleString(undefined, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(date.getFullYear() === today.getFullYear() ? {} : { year: 'numeric' }),
  });
}

/** How long ago something was, in the largest unit that fits. */
export function formatAge(milliseconds: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1_000],
  ] as const;
  const [unit, size] = units.find(([, each]) => milliseconds >= each) ?? ['second', 1_000];
  const formatter = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  return formatter.format(-Math.round(milliseconds / size), unit);
}

/** A number rounded to its significant digits. */
export function formatNumber(value: number, significant = 6): string {
  return value.toLocaleString(undefined, { maximumSignificantDigits: significant });
}

/**
 * A share such as 0.0012 as a percentage, with at least `digits` decimals so that the entries of a list align. A share
 * that is too small for two decimals is not written as 0.
 */
export function formatShare(share: number, digits = 0): string {
  const smallest = 0.0001;
  const isSmaller = share > 0 && share < smallest;
  const text = (isSmaller ? smallest : share).toLocaleString(undefined, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: 2,
  });
  return isSmaller ? `under ${text}` : text;
}

/** The time of day in the reader's own zone. */
export function formatClock(moment: number): string {
  return new Date(moment).toLocaleTimeString(undefined, { timeStyle: 'medium' });
}

/** Converts smallest units to whole units as text. Exact, unless `digits` cuts the fraction. */
export function formatAmount(units: string, decimals: number, digits = decimals): string {
  const padded = units.padStart(decimals + 1, '0');
  const whole = padded.slice(0, padded.length - decimals);
  const rest = padded.slice(padded.length - decimals).slice(0, digits);
  let end = rest.length;
  while (rest[end - 1] === '0') end -= 1;
  const fraction = rest.slice(0, end);
  const grouped = BigInt(whole).toLocaleString(undefined);
  return fraction === '' ? grouped : `${grouped}.${fraction}`;
}

/** Converts a typed amount to smallest units; `undefined` if it is not an amount or has more decimals than the token. */
export function parseAmount(text: string, decimals: number): string | undefined {
  const [, whole = '', fraction = ''] =
    /^(\d*)(?:\.(\d*))?$/.exec(text.trim().replaceAll(',', '')) ?? [];
  if (whole === '' && fraction === '') return undefined;
  if (fraction.length > decimals) return undefined;
  const units = BigInt(`${whole}${fraction.padEnd(decimals, '0')}` || '0');
  return units > 0n ? String(units) : undefined;
}
