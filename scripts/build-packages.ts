import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devchainPackages } from '../src/devchain/devchain-packages.ts';
import { checkPackages } from './check-packages.ts';
import { importedPackages, manifestOf, type Package, packages } from './packages.ts';

// Builds each package in `build/<name>`, then installs and uses it as an outside project would. Needs npm's registry.
const root = JSON.parse(readFileSync('package.json', 'utf8'));
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
const url = server && repository ? `${server}/${repository}` : undefined;

/** Optional packages, for the development chain and Pub/Sub. Users install them by name. */
const installedOnRequest = new Set([
  ...devchainPackages.map((name) => name.slice(0, name.lastIndexOf('@'))),
  '@google-cloud/pubsub',
]);

for (const made of ['build', 'dist']) rmSync(made, { recursive: true, force: true });
for (const made of packages) build(made);
if (!process.argv.includes('--unchecked')) await checkPackages();

function build(made: Package): void {
  const directory = join('build', made.name);
  mkdirSync(directory, { recursive: true });
  compile(made, directory);
  const code = globSync(join(directory, 'dist/**/*.js')).map((path) => readFileSync(path, 'utf8'));
  const imported = importedPackages(code).filter((name) => !installedOnRequest.has(name));
  const manifest = manifestOf(made, imported, { ...root, url });
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  writeFileSync(join(directory, 'README.md'), readmeOf(made));
  cpSync('LICENSE', join(directory, 'LICENSE'));
  if (made.name !== 'tradewind') return;
  for (const served of ['console/browser', 'console/vendor']) {
    cpSync(join('src', served), join(directory, 'dist', served), { recursive: true });
  }
  // `npm pack` in the repository looks for `dist` at the root.
  cpSync(join(directory, 'dist'), 'dist', { recursive: true });
  cpSync('bin', join(directory, 'bin'), { recursive: true });
}

/**
 * A library has only the files that its entry imports, compiled for the oldest Node.js that it supports. The examples in its
 * doc comments import it by its own name.
 */
function compile({ name, entry }: Package, directory: string): void {
  const isProgram = name === 'tradewind';
  const config = {
    extends: '../tsconfig.build.json',
    compilerOptions: {
      rootDir: '../src',
      outDir: `./${name}/dist`,
      ...(isProgram ? {} : { target: 'es2022', lib: ['es2023', 'esnext.disposable'] }),
    },
    ...(isProgram ? { include: ['../src'] } : { files: [join('..', entry)], include: [] }),
  };
  const path = join('build', `tsconfig.${name}.json`);
  writeFileSync(path, JSON.stringify(config));
  execFileSync('npx', ['tsc', '-p', path], { stdio: 'inherit' });
  rmSync(path);
  if (isProgram) return;
  for (const file of globSync(join(directory, 'dist/**/*.{js,d.ts}'))) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(name.replace('-', '/'), name));
  }
  const door = entry.slice('src/'.length, -'.ts'.length);
  for (const ending of ['js', 'd.ts']) {
    writeFileSync(join(directory, 'dist', `index.${ending}`), `export * from './${door}.js';\n`);
  }
}

/** The package's README, made from a page of the repository: with the package's name, and no links to files outside it. */
function readmeOf({ name, readme }: Package): string {
  const page = readFileSync(readme, 'utf8');
  if (name === 'tradewind') return page;
  return page
    .replaceAll(name.replace('-', '/'), name)
    .replaceAll(/\[([^\]]+)\]\(\.\.?\/[^)]*\)/g, '`$1`');
}
