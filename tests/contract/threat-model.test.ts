import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync('SECURITY.md', 'utf8');
const [, model = ''] = /## Threat model\n(.*?)\n## What is not promised/s.exec(page) ?? [];
const claims = [...model.matchAll(/^- (.+(?:\n {2}.+)*)/gm)].map(([, claim = '']) => claim);

describe('the threat model', () => {
  it.each(['On loopback', 'On a local network', 'On the internet', 'With several tenants'])(
    'has a section: %s [N8]',
    (title) => expect(model).toContain(`### ${title}`),
  );

  it.each(claims)('names an existing test for each claim: %s [N8]', (claim) => {
    const tests = [...claim.matchAll(/`((?:src|tests)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect(tests).not.toEqual([]);
    for (const path of tests) {
      expect(path).toMatch(/\.test\.ts$/);
      expect(existsSync(path), path).toBe(true);
    }
  });
});
