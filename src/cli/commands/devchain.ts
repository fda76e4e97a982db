import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { devchainPackages } from '../../devchain/index.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../input/usage-error.ts';
import { showProgress } from '../terminal.ts';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** `tradewind devchain`: installs the packages of the development chain, which the published package leaves out. */
export const devchainCommand: Command = {
  operands: 'install | packages',
  description:
    'The development chain (31337) runs contracts under other licences (GPL, BUSL), so they are not part of\nthis package. `install` installs them from npm beside this package; `packages` lists them. Afterwards tradewind serve\nfinds them by itself.\n\n  tradewind devchain install',
  options: { json: { type: 'boolean', help: 'Print as JSON.' } },
  async run({ operands: [action], flags, terminal: { stdout, stderr } }) {
    if (action === 'packages') {
      stdout.write(flags.json ? `${JSON.stringify({ packages: devchainPackages })}\n` : lines());
      return 0;
    }
    if (action !== 'install') {
      throw new UsageError('Say what to do: devchain install, or devchain packages.');
    }
    const { directory, args, isThere } = planInstall(packageRoot, devchainPackages);
    const code = isThere
      ? 0
      : await showProgress(stderr, `npm ${args.join(' ')}`, () => runNpm(args, directory));
    if (flags.json) {
      stdout.write(`${JSON.stringify({ installed: code === 0, directory, args })}\n`);
    } else if (code === 0) {
      stdout.write('The development chain is installed. Start it with tradewind serve.\n');
    }
    if (code !== 0) stderr.write(`tradewind: npm ${args.join(' ')} failed in ${directory}\n`);
    return code === 0 ? 0 : 1;
  },
};

const lines = () => devchainPackages.map((name) => `${name}\n`).join('');

async function runNpm(args: readonly string[], cwd: string): Promise<number> {
  // npm's output goes to standard error, since standard output is for the result. On Windows npm is a shell script.
  const npm = spawn('npm', args, {
    cwd,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  const [code] = await once(npm, 'close').catch(() => [127]);
  return code ?? 1;
}

export type InstallPlan = {
  /** Where npm is to run. */
  readonly directory: string;
  readonly args: readonly string[];
  /** Whether this package already finds all of them. */
  readonly isThere: boolean;
};

/**
 * How npm installs packages so that this one finds them: as development dependencies of the project that contains
 * this package, or globally if this package is global. In a clone `npm ci` has installed them.
 */
export function planInstall(packageRoot: string, packages: readonly string[]): InstallPlan {
  const root = packageRoot.replace(/[\\/]$/, '');
  const modules = basename(dirname(root)) === 'node_modules' ? dirname(root) : undefined;
  const host = modules === undefined ? root : dirname(modules);
  const isProject = existsSync(join(host, 'package.json'));
  const names = packages.map((name) => name.slice(0, name.lastIndexOf('@')));
  const places = [join(root, 'node_modules'), ...(modules === undefined ? [] : [modules])];
  const isThere = names.every((name) =>
    places.some((place) => existsSync(join(place, name, 'package.json'))),
  );
  return {
    directory: isProject ? host : root,
    // Without the peer dependencies, which are tools for contract developers.
    args: [
      'install',
      ...(isProject ? ['--save-dev', '--save-exact'] : ['--global']),
      '--legacy-peer-deps',
      '--no-audit',
      '--no-fund',
      ...packages,
    ],
    isThere,
  };
}
