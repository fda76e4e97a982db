import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { distinctNames, hostileTexts } from '../../../tests/support/hostile-texts.ts';
import { longestStall } from '../../../tests/support/longest-stall.ts';
import { createFieldSelector, parseFields } from './create-field-selector.ts';

test('paths, groups and wildcards are read [E7.8]', () => {
  const all = undefined;
  expect(parseFields('a')).toEqual({ a: all });
  expect(parseFields('a,b/c,b.d')).toEqual({ a: all, b: { c: all, d: all } });
  expect(parseFields('a(b,c(d)),e')).toEqual({ a: { b: all, c: { d: all } }, e: all });
  expect(parseFields('a/b(c),a/b(d)')).toEqual({ a: { b: { c: all, d: all } } });
  expect(parseFields('a(b),a')).toEqual({ a: all });
  expect(parseFields('*/a,@type')).toEqual({ '*': { a: all }, '@type': all });
});

test.each([
  '',
  ',',
  'a,',
  'a(',
  'a()',
  'a)',
  'a(b',
  'a//b',
  'a/',
  '(a)',
  'a b',
  `${'a('.repeat(30)}b`,
])('refuses "%s" [E7.9]', (text) => {
  expect(parseFields(text)).toBeUndefined();
});

test('any text is read or refused without throwing [E7.9]', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', '*', ',', '/', '.', '(', ')', '-'), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(texts, (parts) => {
      const read = parseFields(parts.join(''));
      expect(read === undefined || Object.keys(read).length > 0).toBe(true);
    }),
    { seed: 13 },
  );
});

test('an undeclared field is refused, even below a wildcard that matches nothing [E7.9]', () => {
  const schema = z.object({
    name: z.string(),
    list: z.array(z.object({ inner: z.string().optional(), other: z.string().optional() })),
    anything: z.record(z.string(), z.unknown()).optional(),
  });
  const answer = { name: 'n', list: [{ inner: 'i', other: 'o' }, {}], anything: { x: { y: 1 } } };
  const selectFields = createFieldSelector(schema);
  const select = (fields: string) => selectFields(fields)(answer);
  expect(select('list/inner')).toEqual({ list: [{ inner: 'i' }, {}] });
  expect(select('anything/x/z')).toEqual({ anything: { x: {} } });
  expect(select('*/inner')).toEqual({ name: 'n', list: [{ inner: 'i' }, {}], anything: {} });
  for (const fields of ['nothing', 'name/x', 'list/nothing', 'list(inner,nothing)']) {
    expect(() => select(fields)).toThrow(/fields names/);
  }
});

test('__proto__ is a field name like any other [E7.8]', () => {
  expect(Object.keys(parseFields('__proto__/a,__proto__/b,c')!)).toEqual(['__proto__', 'c']);
});

test('fields are read in time linear in the text, however many names it has [F3]', async () => {
  const names = distinctNames(60_000);
  const nested = `a(${names}),a(${names})`;
  const texts = [names, nested, `*/*/(${names})`, ...hostileTexts(60_000)];
  expect(Object.keys(parseFields(names)!)).toHaveLength(names.split(',').length);
  expect(await longestStall(texts, parseFields)).toBeLessThan(500);
});
