import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

type Example = { readonly name: string; readonly code: string | undefined };

/** Everything a published door exports, with the example of its doc comment. */
function examplesOf(door: string): Example[] {
  const index = join(root, 'src/authorization', door, 'index.ts');
  const exported = readFileSync(index, 'utf8').matchAll(
    /^export (?:type )?\{([^}]*)\} from '([^']+)'/gm,
  );
  return [...exported].flatMap(([, names = '', path = '']) => {
    const source = readFileSync(join(dirname(index), path), 'utf8');
    return names
      .split(',')
      .map((name) => name.replace('type ', '').trim())
      .filter(Boolean)
      .map((name) => ({ name, code: exampleIn(source, name) }));
  });
}

/** The code in the doc comment right before a declaration. */
function exampleIn(source: string, name: string): string | undefined {
  const declared = new RegExp(
    `^export (?:async )?(?:type|function|class|const) ${name}\\b`,
    'm',
  ).exec(source);
  const before = source.slice(0, declared?.index ?? 0);
  const comment = before.trimEnd().endsWith('*/') ? before.slice(before.lastIndexOf('/**')) : '';
  const [, block] = /@example\n \* ```ts\n([\s\S]*?) \* ```/.exec(comment) ?? [];
  return block?.replace(/^ \* ?/gm, '');
}

const doors = ['client', 'guard'] as const;
const examples = doors.flatMap((door) =>
  examplesOf(door).map(({ name, code }) => ({ door, name, code })),
);

describe('every export of the published doors', () => {
  let folder: string;

  // Inside the package, so that it can import itself by its own name; git ignores this place.
  beforeAll(async () => {
    await mkdir(join(root, 'coverage'), { recursive: true });
    folder = await mkdtemp(join(root, 'coverage', 'examples-'));
    for (const { door, name, code = '' } of examples) {
      await writeFile(join(folder, `${door}-${name}.ts`), code);
    }
    const tsconfig = { extends: join(root, 'tsconfig.json'), include: ['./*.ts'], exclude: [] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has an example in its doc comment', () => {
    expect(examples.length).toBeGreaterThan(30);
    const without = examples.filter(({ code }) => code === undefined);
    expect(without.map(({ door, name }) => `${door}: ${name}`)).toEqual([]);
  });

  it('has an example that compiles', async () => {
    await run('npx', ['tsc', '--noEmit', '-p', folder], { cwd: root });
  });

  it('has an example that runs', async () => {
    const all = examples.map(({ door, name }) => `await import('./${door}-${name}.ts');`);
    await writeFile(join(folder, 'all.ts'), all.join('\n'));
    const environment = { PATH: process.env.PATH, HOME: folder, TRADEWIND_KEYRING: 'off' };
    const { stdout } = await run(
      process.execPath,
      ['--conditions=tradewind-source', join(folder, 'all.ts')],
      { cwd: folder, env: environment },
    );
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['https://api.example.com', '43 43', '[]', 'hello', '401']),
    );
  });
});
