import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

it('every dependency has its reason in docs/dependencies.md', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  const page = read('docs/dependencies.md');
  const unexplained = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => {
    const scope = name.split('/')[0];
    return !page.includes(`\`${name}\``) && !page.includes(`\`${scope}/*\``);
  });
  expect(unexplained).toEqual([]);
});
