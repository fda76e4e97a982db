import { expect, test } from 'vitest';
import { JsonError, parseJson } from './parse-json.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test('what is read can be walked through by recursion [F21]', () => {
  expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
  expect(parseJson(nested(100))).toEqual([expect.anything()]);
  for (const depth of [101, 100_000]) {
    expect(() => parseJson(nested(depth))).toThrow(/^is nested deeper than 100$/);
  }
  expect(() => parseJson('{')).toThrow(JsonError);
});
