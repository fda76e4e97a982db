/**
 * Texts of about the given length that make careless parsers slow: long runs of separators, opening brackets,
 * escapes and prefixes, so that a parser which backtracks does so from each of them.
 */
export function hostileTexts(length: number): readonly string[] {
  const runs = openings.map((opening) => repeatTo(opening, length));
  const endings = ['://', '@', '?', '\u0000', '!', ' x'];
  return [
    ...runs,
    ...endings.map((ending) => `${repeatTo('a.', length)}${ending}`),
    ...endings.map((ending) => `${repeatTo('/', length)}${ending}`),
    ...['"', ')', '}', ']'].map((ending) => `${repeatTo(' ', length)}${ending}`),
    `https://a.example/${repeatTo('/', length)}`,
    `https://a.example/?${repeatTo('a=b&', length)}`,
    `https://${repeatTo('a.', length)}example`,
    `${repeatTo('[', length / 2)}${repeatTo(']', length / 2)}`,
    `${repeatTo('{"a":', length)}1`,
    distinctNames(length),
    foreignHost(length),
    manyMarks(length),
  ];
}

/** A host of as many non-ASCII letters as fit once they are escaped, no two the same: encoding it in Punycode is slow. */
export function foreignHost(length: number): string {
  const letters = Array.from({ length: Math.min(5_000, Math.floor(length / 9)) }, (_, index) =>
    String.fromCodePoint(0x4e00 + index),
  );
  return `https://${letters.join('')}/x`;
}

/** A letter with as many combining marks as fit once they are escaped. Unicode normalization has to reorder them all. */
export function manyMarks(length: number): string {
  const half = Math.floor(length / 12) - 1;
  return `a${'\u0301'.repeat(half)}${'\u0316'.repeat(half)}`;
}

const openings = [
  'a',
  'A',
  '0',
  '-',
  '/',
  '//',
  '/.',
  '.',
  'a.',
  '://',
  'a://',
  ',',
  ', ',
  'a,',
  ';',
  ':',
  '%',
  '%2',
  '%25',
  '(',
  'a(',
  '[',
  '{',
  ' ',
  ' a',
  '\t',
  '"',
  '\\"',
  "'",
  '=',
  'a=',
  '&',
  '?',
  '#',
  '@',
  '*',
  '+',
  '~',
  '_',
  '|',
  '<',
  'bearer ',
  'request per ',
  'block ',
  '0x',
  '9',
  '1e',
  'xn--',
  'é',
  '\u{1f600}',
  '\u202e',
];

/** Distinct names, as `a0,a1,a2`. */
export function distinctNames(length: number): string {
  const names: string[] = [];
  for (let taken = 0; taken < length; taken += `a${names.length},`.length) {
    names.push(`a${names.length}`);
  }
  return names.join(',');
}

function repeatTo(part: string, length: number): string {
  return part.repeat(Math.max(1, Math.floor(length / part.length)));
}
