import { expect, test } from 'vitest';
import { parseJsonObject } from './parse-json-object.ts';

test('takes an object, and nothing else that may stand in JSON or does not', () => {
  expect(parseJsonObject('{"a": [1]}')).toEqual({ a: [1] });
  for (const text of ['[1]', 'null', '"a"', '1', '{a: 1}', '']) {
    expect(parseJsonObject(text)).toBeUndefined();
  }
});
