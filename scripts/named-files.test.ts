import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Names of files in backticks, such as `store/grant-store.ts`; `x` and `NAME` stand for any. */
const named = /`([\w./-]+\.ts)`/g;
const placeholder = /(?:^|\/)(?:x\.|NAME\.)/;

test('every source file that a page names exists', () => {
  const files = globSync(
    ['src/**/*.ts', 'tests/**/*.ts', 'scripts/*.ts', 'bench/**/*.ts', '*.ts'],
    {
      exclude: ['**/node_modules/**'],
    },
  ).map((file) => `/${file}`);
  const pages = globSync(['*.md', 'docs/**/*.md']);
  const missing = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(named)]
      .map(([, name = '']) => name)
      .filter((name) => !placeholder.test(name) && !name.startsWith('.'))
      .filter((name) => !files.some((file) => file.endsWith(`/${name}`)))
      .map((name) => `${page} names ${name}`),
  );
  expect(missing).toEqual([]);
});
