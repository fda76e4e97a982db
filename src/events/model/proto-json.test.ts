import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseJson, readMessage } from './proto-json.ts';

test('refuses a long list before the schema looks at its members [N1]', () => {
  let looked = 0;
  const member = z.custom<string>(() => {
    looked += 1;
    return false;
  });
  const message = z.object({ all: z.object({ names: z.array(member) }) });
  const read = (members: number) => () => readMessage(message, { all: { names: Array(members) } });
  expect(read(1_001)).toThrow('all.names has 1001 members and may have at most 1000');
  expect(looked).toBe(0);
  expect(read(1_000)).toThrow(/all\.names\[49\].*; and more\.$/);
});

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
