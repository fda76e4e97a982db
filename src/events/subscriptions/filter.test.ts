import { expect, test } from 'vitest';
import { type Filter, parseFilter } from './filter.ts';

const type = (value: string): Filter => ({ kind: 'eventType', value });
const target = (value: string): Filter => ({ kind: 'targetResource', value });
const all = (...of: Filter[]): Filter => ({ kind: 'all', of });
const any = (...of: Filter[]): Filter => ({ kind: 'any', of });

test.each<[string, Filter]>([
  ['event_types:"a"', type('a')],
  ['  event_types : "a"  ', type('a')],
  ['eventTypes:"a" AND targetResource="//x/y"', all(type('a'), target('//x/y'))],
  ['event_types:"a" OR event_types:"b" OR event_types:"c"', any(type('a'), type('b'), type('c'))],
  ['event_types:"a \\"b\\" \\\\ c"', type('a "b" \\ c')],
  ['event_types:"AND (OR)"', type('AND (OR)')],
  ['((event_types:"a"))', type('a')],
  ['event_types:"a"AND(event_types:"b")', all(type('a'), type('b'))],
])('reads %s [E3.11, E3.14]', (text, expected) => {
  expect(parseFilter(text)).toEqual({ filter: expected });
});

test('binds OR tighter than AND, unless parentheses say otherwise [E3.12]', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `event_types:"${name}"`);
  expect(parseFilter(`${a} AND ${b} OR ${c}`).filter).toEqual(
    all(type('a'), any(type('b'), type('c'))),
  );
  expect(parseFilter(`${a} OR ${b} AND ${c}`).filter).toEqual(
    all(any(type('a'), type('b')), type('c')),
  );
  expect(parseFilter(`(${a} AND ${b}) OR ${c}`).filter).toEqual(
    any(all(type('a'), type('b')), type('c')),
  );
});

test.each([
  ['target_resource="//x/y"', /no condition on event_types/],
  ['event_types="a"', /colon/],
  ['target_resource:"a"', /equals sign/],
  ["event_types:'a'", /character 13/],
  ['event_types:a', /a string in double quotes/],
  ['event_types:"a', /character 13/],
  ['event_types:"a" and event_types:"b"', /has and at character 17/],
  ['NOT event_types:"a"', /has NOT at character 1/],
  ['event_types:"a" AND', /ends where/],
  ['(event_types:"a"', /closing parenthesis/],
  ['event_types:"a")', /AND, OR or the end/],
  ['state="ACTIVE"', /event_types, target_resource/],
  ['event_types!="a"', /character 12/],
  ['', /ends where/],
  [`${'('.repeat(51)}event_types:"a"${')'.repeat(51)}`, /nested deeper than 50/],
])('refuses %s and says where [E3.13, E3.15]', (text, problem) => {
  expect(parseFilter(text).problem).toMatch(problem);
});
