import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

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
