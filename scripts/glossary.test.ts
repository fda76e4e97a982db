import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the glossary has at most thirty words, each of them once [Y15]', () => {
  const lines = readFileSync('docs/glossary.md', 'utf8').split('\n');
  const words = lines.flatMap((line) => {
    const [, word] = /^\| ([^|]+) \|/.exec(line) ?? [];
    return word === undefined || word === 'Word' || word.startsWith('-') ? [] : [word];
  });
  expect(words.length).toBeGreaterThan(10);
  expect(words.length).toBeLessThanOrEqual(30);
  expect(words).toEqual([...new Set(words)]);
});
