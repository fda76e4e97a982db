import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importedPackages, manifestOf, packages } from './packages.ts';

const repository = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [server, guard, client] = packages;
const { exclude } = JSON.parse(readFileSync('tsconfig.build.json', 'utf8'));

describe('the packages of the build', () => {
  it('depend on what their code imports, each with a version, and not on Node.js [T9]', () => {
    expect(packages.map(({ name }) => name)).toEqual([
      'tradewind',
      'tradewind-guard',
      'tradewind-client',
    ]);
    const made = manifestOf(guard!, ['ipaddr.js', 'jose'], repository);
    expect(made.dependencies).toEqual({
      'ipaddr.js': `^${repository.dependencies['ipaddr.js']}`,
      jose: `^${repository.dependencies.jose}`,
    });
    expect(made.engines.node).toMatch(/^>=20/);
    expect(repository.dependencies.node).toBeUndefined();
    expect(repository.devDependencies.node).toMatch(/^24\./);
    expect(() => manifestOf(client!, ['left-pad'], repository)).toThrow(/left-pad/);
  });

  it('state their repository and provenance only where the repository is known [T9]', () => {
    expect(manifestOf(server!, [], repository).publishConfig).toEqual({ access: 'public' });
    const url = 'https://git.example.com/a/tradewind';
    expect(manifestOf(server!, [], { ...repository, url })).toMatchObject({
      repository: { type: 'git', url: `git+${url}.git` },
      publishConfig: { access: 'public', provenance: true },
    });
  });

  it('get their dependencies from imports in code, not from examples in comments [T9]', () => {
    const code = `import { a } from '@scope/one/deep.js';
import 'two';
/**
 * import { b } from 'tradewind/client';
 */
import { c } from 'node:fs';
import { d } from './here.js';
const e = await import('three');`;
    expect(importedPackages([code])).toEqual(['@scope/one', 'three', 'two']);
  });

  it('hold code that imports no other code of the repository', () => {
    const files = globSync('src/**/*.ts', { exclude });
    expect(files.length).toBeGreaterThan(100);
    const outside = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:from |import |import\()'(\.[^']*)'/g)]
        .map(([, imported = '']) => join(dirname(file), imported))
        .filter((path) => !path.startsWith('src/'))
        .map((path) => `${file} imports ${path}`),
    );
    expect(outside).toEqual([]);
  });
});
