import { expect, it } from 'vitest';
import { findPatternProblem, findPatterns } from './patterns.ts';

const problemOf = (code: string) => findPatterns('x.ts', code).map(findPatternProblem)[0];

it.each([
  'text.replace(/\\/+$/, "")',
  '/\\b([a-z][a-z0-9+.-]*:\\/\\/)[^\\s/@]+@/gi',
  '/batch .*(?:limit|too)/i',
  '/^(a+)+$/',
  '/^(?:\\w|\\d)*!/',
  '/^(a{0,50}){50}$/',
  '/^(?:a|a){30}$/',
])('finds that %s is not linear', (code) => {
  expect(problemOf(code)).toMatch(/takes (?:2nd degree polynomial|exponential) to match/);
});

it.each(['/a(?=b)/', '/(?<!x)a+/', '/(a)\\1/', 'new RegExp(text)', 'RegExp("a")'])(
  'refuses %s, whose running time cannot be determined',
  (code) => expect(problemOf(code)).toBeTypeOf('string'),
);

it.each(['/^\\w+$/', '/:\\/\\/[^\\s/]+@/g', '/^[a-z]([a-z0-9.-]{0,61}[a-z0-9])?$/', '/\\p{Cc}/gu'])(
  'lets %s pass',
  (code) => expect(problemOf(code)).toBeUndefined(),
);

it('reports the line of each pattern', () => {
  const found = findPatterns('x.ts', 'const a: RegExp = /a/;\n\nif (/b/.test(c)) new RegExp(d);');
  expect(found.map(({ line, text }) => [line, text])).toEqual([
    [1, '/a/'],
    [3, '/b/'],
    [3, 'new RegExp(d)'],
  ]);
});
