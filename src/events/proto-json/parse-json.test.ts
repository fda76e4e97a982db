import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

const nested = (depth: number) => '{"a":['.repeat(depth / 2) + ']}'.repeat(depth / 2);

test('reads JSON as deep as protocol buffers go [E8.1]', () => {
  expect(parseJson('{"a":1}', 'INVALID_JSON')).toEqual({ a: 1 });
  expect(parseJson('null', 'INVALID_JSON')).toBeNull();
  expect(parseJson(nested(100), 'INVALID_JSON')).toBeTypeOf('object');
});

test.each([
  ['what is cut off', '{'],
  ['nothing', ''],
  ['what is nested deeper', nested(102)],
  ['what no recursion could follow', nested(100_000)],
])('refuses %s [E8.1]', (_, text) => {
  expect(() => parseJson(text, 'INVALID_JSON')).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', reason: 'INVALID_JSON' }),
  );
});
