/**
 * Texts of about the given length that make careless readers slow: long runs of what separates, opens,
 * escapes or begins something, so that a reader which goes back does so from each of them.
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
  ];
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

/** Names of which no two are the same, as `a0,a1,a2`. */
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
