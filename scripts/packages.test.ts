import { execFile } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
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

describe('the declarations of a library', () => {
  it.each([
    ['guard', guard!, ['ipaddr.js', 'jose']],
    ['client', client!, ['ipaddr.js', 'jose', 'oauth4webapi', 'undici', 'zod']],
  ])('of the %s need nothing but its dependencies [T9]', async (_name, { entry }, dependencies) => {
    const use = await declare(entry, dependencies);
    expect(await use(`export * from './${entry.replace(/ts$/, 'js')}';`)).toBe('');
  });

  it('of the guard make a middleware of Hono that knows the principal [T9]', async () => {
    const use = await declare(guard!.entry, ['ipaddr.js', 'jose', 'hono']);
    const code = `import { Hono } from 'hono';
import { createGuard, honoGuard } from './src/authorization/guard/index.js';
const guard = createGuard({ issuer: 'https://a.example', resource: 'https://b.example/mcp' });
const app = new Hono();
app.use('/mcp', honoGuard(guard, { scope: ['crm.read'] }));
app.get('/mcp', honoGuard(guard), (c) => c.text(c.get('principal').subject));
new Hono().use(honoGuard(guard)).get('/mcp', (c) => c.text(c.get('principal').subject));
`;
    expect(await use(code)).toBe('');
    const wrong = code.replaceAll('.subject', '.nobody');
    expect((await use(wrong)).match(/'nobody' does not exist on type 'Principal'/g)).toHaveLength(
      2,
    );
  });
});

/**
 * Makes the declarations of an entry in an empty project, which has only these packages and the types of Node.js.
 * Returns a strict check of code there, whose result is the errors.
 */
async function declare(entry: string, installed: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'declarations-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'package.json'), '{"type": "module"}');
  for (const name of [...installed, '@types/node', 'undici-types']) {
    mkdirSync(dirname(join(directory, 'node_modules', name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(directory, 'node_modules', name));
  }
  const build = {
    extends: resolve('tsconfig.build.json'),
    compilerOptions: {
      ...{ rootDir: resolve('src'), outDir: 'src', emitDeclarationOnly: true },
      typeRoots: [resolve('node_modules/@types')],
    },
    files: [resolve(entry)],
    include: [],
  };
  expect(await compile(build)).toBe('');
  return async (code: string) => {
    writeFileSync(join(directory, 'use.ts'), code);
    const strict = { strict: true, noEmit: true, target: 'es2023', module: 'nodenext' };
    return compile({ compilerOptions: { ...strict, types: ['node'] }, files: ['use.ts'] });
  };

  function compile(config: object): Promise<string> {
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config));
    return new Promise((done) => {
      execFile(resolve('node_modules/.bin/tsc'), ['-p', directory], (error, said) =>
        done(said || (error?.message ?? '')),
      );
    });
  }
}
