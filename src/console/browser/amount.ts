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
