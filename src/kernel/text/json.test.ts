import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { JsonError, parseJson, splitJsonArray } from './json.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test('JSON with more than 50,000 values is refused, and a long string is not [N1]', () => {
  for (const member of ['1', '{}', '"a"', '[]', '{"a":1}']) {
    const list = (members: number) => `[${Array(members).fill(member).join()}]`;
    expect(parseJson(list(20_000))).toHaveLength(20_000);
    expect(() => parseJson(list(60_000))).toThrow(/^has more than 50000 values$/);
  }
  expect(parseJson(JSON.stringify(',"[\\'.repeat(100_000)))).toHaveLength(400_000);
  expect(
    parseJson(`{${Array.from({ length: 40_000 }, (_, n) => `"${n}":1`).join()}}`),
  ).toHaveProperty('7');
});

test('JSON nested deeper than 100 is refused, so that recursion over it is safe [F21]', () => {
  expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
  expect(parseJson(nested(100))).toEqual([expect.anything()]);
  for (const depth of [101, 100_000]) {
    expect(() => parseJson(nested(depth))).toThrow(/^is nested deeper than 100$/);
  }
  expect(() => parseJson('{')).toThrow(JsonError);
});

test('JSON is measured before it is parsed: what is too much is never parsed [F47]', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const texts = [
    nested(200_000),
    '['.repeat(200_000),
    '{"a":'.repeat(200_000),
    `{"error":{"message":"${'\\"]'.repeat(1_000)}","data":${nested(101)}}}`,
    `[${Array(60_000).fill('{}').join()}]`,
  ];
  for (const text of texts) expect(() => parseJson(text)).toThrow(JsonError);
  expect(parse).not.toHaveBeenCalled();
  // Signs within strings, and many short branches, are no depth.
  for (const text of [`["${'[{'.repeat(1_000)}"]`, `[${Array(10_000).fill('[[]]').join()}]`]) {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  }
});

test('gives the members of any array, however it is written', () => {
  const space = fc.constantFrom('', ' ', '\n');
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), space, fc.nat(3), (values, around, indent) => {
      const text = `${around}${JSON.stringify(values, null, indent)}${around}`;
      const members = [...splitJsonArray(text)].map((member) => JSON.parse(member));
      // Compared with the parsed text and not with `values`, since JSON writes -0 and the like differently.
      expect(members).toEqual(JSON.parse(text));
    }),
  );
});

test.each(['', '{}', '[', ']', '[1', '1]', '["]', '[[]', '[]]', '[{]', '["a\\"]'])(
  'refuses %s, which is no array',
  (text) => {
    expect(() => [...splitJsonArray(text)]).toThrow('must be a JSON array');
  },
);

test.each(['[,]', '[1,]', '[1 2]', '[}{]'])(
  'refuses %s, or leaves it to the parser to refuse, as invalid JSON',
  (text) => {
    expect(() => [...splitJsonArray(text)].map((member) => JSON.parse(member))).toThrow();
  },
);
