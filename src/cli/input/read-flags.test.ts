import { expect, test } from 'vitest';
import { parseJsonObject } from './read-flags.ts';

test('accepts a JSON object, and refuses other JSON values and invalid JSON', () => {
  expect(parseJsonObject('{"a": [1]}')).toEqual({ a: [1] });
  for (const text of ['[1]', 'null', '"a"', '1', '{a: 1}', '']) {
    expect(parseJsonObject(text)).toBeUndefined();
  }
});
