import { expect, it } from 'vitest';
import { visibleName } from './form-parts.ts';

const written = (name: string) =>
  visibleName(name)
    .map(({ text, note }) => (note === undefined ? text : `${text}[${note}]`))
    .join('');

it.each([
  'Claude Desktop',
  'Émile & Söhne',
  'Погода в Москве',
  '天気予報',
  'برنامج',
  'Ørsted’s tool 🌊',
])('leaves %j as it is', (name) => expect(written(name)).toBe(name));

it.each([
  ['Clаude', 'Clа[U+0430]ude'],
  ['Ρaypal', 'Ρ[U+03A1]aypal'],
  ['арро', 'а[U+0430]р[U+0440]р[U+0440]о[U+043E]'],
  ['𝐂laude', '𝐂[U+1D402]laude'],
  ['Ｃlaude', 'Ｃ[U+FF23]laude'],
  ['evil\u202Etxt', 'evil[U+202E]txt'],
  ['Cla\u200Bude', 'Cla[U+200B]ude'],
  ['a\u3164b', 'a[U+3164]b'],
  ['two\nlines', 'two[U+000A]lines'],
])('spells out deceptive letters in %j [A11]', (name, shown) => expect(written(name)).toBe(shown));

it('truncates a name of more than 80 characters [A11]', () => {
  expect(written('x'.repeat(1_000))).toBe(`${'x'.repeat(80)}…`);
});
