import type { Dice } from '../support/dice.ts';

/** Texts that parsers trip over: general ones, and some of this product's own formats. */
const hostileTexts = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '\0',
  'a\0b',
  '\ud800',
  '\ufeffx',
  '\u202eabc',
  '‮𝕏𝕐ℤ 💥',
  'é'.normalize('NFD'),
  "' OR 1=1 --",
  '"; DROP TABLE x; --',
  '%00',
  '%ff%fe',
  '%25%32%66',
  '../../../etc/passwd',
  '//evil.example/x',
  'http://127.0.0.1:1/',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '1e400',
  '9'.repeat(400),
  `0x${'f'.repeat(400)}`,
  'a,'.repeat(500),
  'a('.repeat(500),
  'a.'.repeat(500),
  '/'.repeat(1_000),
  ':'.repeat(200),
  '\\'.repeat(200),
  'x'.repeat(5_000),
  '2030-13-45T99:99:99Z',
  '-999999999999s',
  'event_types:"x" AND (target_resource="y" OR',
];

/** The same with one or more things wrong: type, length, nesting, name or encoding. */
export function spoilValue(value: unknown, dice: Dice): unknown {
  if (dice.fraction() < 0.25 || typeof value !== 'object' || value === null) return hostile(dice);
  if (Array.isArray(value)) {
    if (dice.fraction() < 0.2)
      return Array.from({ length: 1_200 }, () => value[0] ?? hostile(dice));
    return [...value, hostile(dice)];
  }
  const fields = Object.entries(value);
  const chosen = Math.floor(dice.fraction() * (fields.length + 1));
  const spoiled = fields.flatMap(([name, below], index): [string, unknown][] => {
    if (index !== chosen) return [[name, below]];
    const fate = dice.fraction();
    if (fate < 0.2) return [];
    if (fate < 0.3) return [[name.toUpperCase(), below]];
    return [[name, spoilValue(below, dice)]];
  });
  return Object.fromEntries([
    ...spoiled,
    ...(chosen === fields.length ? [[spoilText(dice), hostile(dice)] as const] : []),
  ]);
}

/** A text of the list, or bytes at random. */
export function spoilText(dice: Dice): string {
  if (dice.fraction() < 0.8) return dice.pick(hostileTexts);
  const length = Math.floor(dice.magnitude(1, 300));
  return String.fromCharCode(...Array.from({ length }, () => Math.floor(dice.fraction() * 0x2fff)));
}

function hostile(dice: Dice): unknown {
  return dice.pick<() => unknown>([
    () => spoilText(dice),
    () => spoilText(dice),
    () => spoilText(dice),
    () => null,
    () => dice.pick([true, false, 0, -0, -1, 2 ** 31, 2 ** 53, 1.5, 1e308, -1e308]),
    () => [],
    () => ({}),
    () => [[[[spoilText(dice)]]]],
    () => nest(Math.floor(dice.magnitude(10, 3_000))),
    () => ({ __proto__: { polluted: 1 }, toString: 1, length: -1 }),
  ])();
}

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
}
