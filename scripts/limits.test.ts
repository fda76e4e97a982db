import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { declaredLimits } from './declared-limits.ts';

/** What holds others off or remembers them, with the bound that each is made with. */
const bounding = [
  /createBoundedMap(?:<[^(]*>)?\(([\w.]+)\)/g,
  /createTurnstile\(([\w.]+)\)/g,
  /perMinute: ([\w.]+),/g,
  /bodyLimit: ([\w.* ]+)[,\s}]/g,
  /maxResponseBytes: ([\w.]+),/g,
];

/** Bounds that no caller meets: they are of what the process keeps for itself. */
const inner = [
  'src/kernel/database/sqlite/sqlite-connection.ts',
  'src/kernel/work/bring-events.ts',
];

/** Names of numbers in a file that are given as a bound: `const most = 10`, `perMinute: 10`. */
function undeclaredIn(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  const bounds = bounding.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, bound]) => bound ?? ''),
  );
  return bounds
    .filter((bound) => /^\d/.test(bound) || new RegExp(`const ${bound} = \\d`).test(text))
    .map((bound) => `${path}: ${bound}`);
}

describe('declared limits', () => {
  it('hold every numeric bound on callers', () => {
    const sources = globSync('src/**/*.ts').filter(
      (path) => !/\.(?:test|fuzz|contract)\.ts$/.test(path) && !inner.includes(path),
    );
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.flatMap(undeclaredIn)).toEqual([]);
  });

  it('are each used by the code', () => {
    const sources = globSync('src/**/*.ts')
      .filter((path) => !/\.test\.ts$|limits\.ts$/.test(path))
      .map((path) => readFileSync(path, 'utf8'));
    const names = Object.values(declaredLimits).flatMap((limits) =>
      Object.entries(limits)
        // What a setting changes is read from the setting.
        .filter(([, { setting }]) => setting === undefined)
        .map(([name]) => name),
    );
    const unused = names.filter((name) => {
      const use = new RegExp(`\\b${name}\\b`);
      return !sources.some((text) => text.includes('Limits') && use.test(text));
    });
    expect(unused).toEqual([]);
  });

  it('have a positive value and a meaning that is a sentence', () => {
    const all = Object.values(declaredLimits).flatMap((limits) => Object.values(limits));
    expect(all.filter(({ value }) => !(value > 0))).toEqual([]);
    expect(all.filter(({ meaning }) => !meaning.endsWith('.'))).toEqual([]);
  });
});
