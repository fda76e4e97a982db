/** A number of things, in words: `1 session`, `3 sessions`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
