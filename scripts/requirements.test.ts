import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareRequirements } from './requirements.ts';

const documents = ['# Rules\n- **X1** One.\n- **X2** Two.\n- **X14.1** Three.\nX9 is prose.'];
// Brackets are put together here, so that this file does not itself seem to cover these rules.
const test = (...rules: string[]) => `it('does it ${'['}${rules.join(', ')}]', () => {})`;

describe('compareRequirements', () => {
  it('reports no problem when every rule has a test or a gap', () => {
    const { counts, problems } = compareRequirements({
      documents,
      gaps: '- **X2** not built yet',
      tests: [test('X1', 'X14.1')],
    });
    expect(problems).toEqual([]);
    expect(counts).toEqual({ rules: 3, tested: 2, gaps: 1 });
  });

  it('reports a rule without test or gap, and a gap that a test has closed', () => {
    const { problems } = compareRequirements({
      documents,
      gaps: '- **X1** later',
      tests: [test('X1', 'X2')],
    });
    expect(problems).toEqual([
      expect.stringMatching(/^X14\.1 has no test/),
      expect.stringMatching(/^X1 has a test/),
    ]);
  });

  it('reports numbers that are not rules', () => {
    const { problems } = compareRequirements({
      documents: [],
      gaps: '- **X3** later',
      tests: [test('X4')],
    });
    expect(problems).toEqual([
      expect.stringMatching(/^X3 is listed/),
      expect.stringMatching(/^X4 stands/),
    ]);
  });
});

describe('the page of hardening', () => {
  const page = readFileSync('docs/requirements/hardening.md', 'utf8');
  const rules = [...page.matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map(([, rule = '']) => rule);
  const proofs = new Map(
    [...page.matchAll(/^\| ([A-Z]\d+) \| (.+) \|$/gm)].map(([, rule = '', cell = '']) => [
      rule,
      [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
    ]),
  );

  it('names, for each rule that is no open gap, files whose tests name it [N14]', () => {
    const gaps = readFileSync('docs/requirements/open-gaps.md', 'utf8');
    const proved = rules.filter((rule) => !gaps.includes(`- **${rule}** `));
    expect(proved.length).toBeGreaterThan(40);
    expect([...proofs.keys()]).toEqual(proved);
    for (const [rule, paths] of proofs) {
      expect(paths, rule).not.toEqual([]);
      for (const path of paths) {
        const name = new RegExp(`\\[(?:[A-Z0-9., ]+, )?${rule}(?:, [A-Z0-9., ]+)?\\]`);
        expect(readFileSync(path, 'utf8'), `${path} names ${rule}`).toMatch(name);
      }
    }
  });
});
