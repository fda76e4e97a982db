import { expect, it } from 'vitest';
import { findUnboundedCalls } from './unbounded-calls.ts';

it('finds calls that take more than linear time, and names the bounded replacement [N1]', () => {
  const code =
    "const a = URL.parse(b);\nif (URL.canParse(c) && d.trim().normalize('NFC') === e) f();";
  expect(findUnboundedCalls('x.ts', code)).toEqual([
    { line: 1, text: 'URL.parse(b)', instead: 'parseUrl of kernel/text' },
    { line: 2, text: 'URL.canParse(c)', instead: 'parseUrl of kernel/text' },
    { line: 2, text: "d.trim().normalize('NFC')", instead: 'normalizeText of kernel/text' },
  ]);
});

it('finds bodies that are parsed without being measured [F47]', () => {
  expect(findUnboundedCalls('x.ts', 'await (await fetch(a)).json(); c.json({});')).toMatchObject([
    { line: 1, text: '(await fetch(a)).json()' },
  ]);
});

it('ignores other parsing functions', () => {
  expect(findUnboundedCalls('x.ts', 'JSON.parse(a); parse(b); new URL(c);')).toEqual([]);
});
