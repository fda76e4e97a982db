import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitJsonArray } from './split-json-array.ts';

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
