import { expect, it } from 'vitest';
import { findUnsaidSkips } from './optional-tests.ts';

const helper = [
  'tests/support/start-nats.ts',
  "export const start = () => spawn(findProgram('nats'));",
] as const;
const problemsOf = (text: string, file = 'tests/e2e/x.test.ts') =>
  findUnsaidSkips(new Map([helper, [file, text]])).map(({ line, problem }) => `${line} ${problem}`);

it('refuses tests that are defined under a condition or skipped in a way of their own [F46]', () => {
  expect(problemsOf("if (hasNats) {\n  describe('NATS', () => {});\n}")).toEqual([
    expect.stringMatching(/^2 defines describe\(…\) under a condition/),
  ]);
  expect(problemsOf("hasNats && it('x', f);")).toHaveLength(1);
  expect(problemsOf("if (hasNats) describe.each(engines)('x', f);")).toHaveLength(1);
  expect(problemsOf("test.runIf(hasNats)('x', f);\ndescribe.skip('y', f);")).toEqual([
    '1 skips by test.runIf, silently',
    '2 skips by describe.skip, silently',
  ]);
});

it('asks each file to say what it needs, also through what it imports [F46]', () => {
  const imports = "import { start } from '../support/start-nats.ts';\n";
  expect(problemsOf(`${imports}test('x', start);`)).toEqual(['1 needs nats, and does not say so']);
  expect(problemsOf(`${imports}testsWith('nats').test('x', start);`)).toEqual([]);
  const stranger = 'tests/strangers/x.test.ts';
  expect(problemsOf("test('x', f);", stranger)).toEqual(['1 needs strangers, and does not say so']);
});

it('leaves conditions within a test alone', () => {
  expect(
    problemsOf("test('x', () => { if (a) expect(b).toBe(1); regex.test(c) && d(); });"),
  ).toEqual([]);
});
