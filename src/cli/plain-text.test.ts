import { expect, test } from 'vitest';
import { textOnly } from './plain-text.ts';

function shown(text: string, isTTY: boolean, how: 'write' | 'draw' = 'write'): string {
  let all = '';
  textOnly({ write: (part) => (all += part), isTTY })[how](text);
  return all;
}

const hostile = '\u001b]0;title\u0007\u001b[2J\u009b2J\u202e\u2066\u2028\u007f\b\r';

test.each([true, false])(
  'escapes control sequences in any text, on a terminal: %s [F16]',
  (isTTY) => {
    const text =
      'a\\u001b]0;title\\u0007\\u001b[2J\\u009b2J\\u202e\\u2066\\u2028\\u007f\\u0008\\u000db\n';
    expect(shown(`a${hostile}b\n`, isTTY)).toBe(text);
    expect(shown(`a${hostile}b\n`, isTTY, 'draw')).toBe(text);
  },
);

test('lets our own colours and progress pass on a terminal alone, and only where they are drawn [F16]', () => {
  const own = '\r\u001b[K\u001b[32mgreen\u001b[39m\n';
  expect(shown(own, true, 'draw')).toBe(own);
  const text = '\\u000d\\u001b[K\\u001b[32mgreen\\u001b[39m\n';
  expect(shown(own, false, 'draw')).toBe(text);
  expect(shown(own, true)).toBe(text);
});

test('leaves the values of JSON unchanged', () => {
  const value = { name: hostile };
  expect(JSON.parse(shown(`${JSON.stringify(value)}\n`, false))).toEqual(value);
});
