import { expect, it, test } from 'vitest';
import { count, normalizeText } from './text.ts';

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [2, '2 seconds'],
  [0.5, '0.5 seconds'],
])('says %d as %s', (number, text) => {
  expect(count(number, 'second')).toBe(text);
});

it('writes a text in a normal form', () => {
  expect(normalizeText('ﬁancé', 'NFKC', 80)).toBe('fiancé');
  expect(normalizeText('ﬁancé', 'NFC', 80)).toBe('ﬁancé');
});

it('looks at no more of a text than it may keep [N1]', () => {
  const marked = `a${'\u0316'.repeat(1_000)}`;
  expect(normalizeText(marked, 'NFKC', 80)).toHaveLength(80);
  // The mark that composes with the letter lies beyond the part that is read.
  expect(normalizeText(`${marked}\u0301`, 'NFKC', 2_000)[0]).toBe('á');
  expect(normalizeText(`${marked}\u0301`, 'NFKC', 80)[0]).toBe('a');
});
