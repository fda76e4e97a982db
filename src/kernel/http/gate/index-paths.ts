import { TrieRouter } from 'hono/router/trie-router';
import { createBoundedMap } from '../../bounded-map.ts';
import type { PathGuard, PathPolicy } from './guard-path.ts';
import type { WriteRefusal } from './write-refusal.ts';

/** A path of a service: how it is guarded, and how refusals on it are written. */
export type OwnedPath = {
  readonly pattern: string;
  readonly policy: PathPolicy;
  readonly guard: PathGuard;
  readonly writeRefusal: WriteRefusal | undefined;
};

/** The part of a mount that tells whose a path is. */
type Owner = {
  readonly app: { readonly routes: readonly { readonly path: string }[] };
  readonly endpoints?: readonly { readonly path: string }[];
  readonly paths: Readonly<Record<string, PathPolicy>>;
  readonly writeRefusal?: WriteRefusal;
};

/** Those asked for last, since matching costs more than the guards; whoever asks for many others drives none out for good. */
const pathsKept = 1_000;

/**
 * Finds who owns a path and how it is guarded, by the same kind of pattern that requests are routed
 * by. Throws a `TypeError` for a mount that serves what it does not own.
 */
export function indexPaths(
  mounts: readonly Owner[],
  guardFor: (policy: PathPolicy) => PathGuard,
): (path: string) => OwnedPath | undefined {
  const index = new TrieRouter<{ owner: Owner; owned: OwnedPath }>();
  const find = (path: string) => index.match('ALL', path)[0][0]?.[0];
  const known = createBoundedMap<string, OwnedPath>(pathsKept);
  for (const mount of mounts) {
    for (const [path, policy] of Object.entries(mount.paths)) {
      const { writeRefusal } = mount;
      index.add('ALL', path, {
        owner: mount,
        owned: { pattern: path, policy, guard: guardFor(policy), writeRefusal },
      });
    }
    const served = [...mount.app.routes, ...(mount.endpoints ?? [])];
    const stray = served.find(({ path }) => find(path)?.owner !== mount);
    if (stray !== undefined) {
      throw new TypeError(
        `A mounted app serves ${stray.path}, which is not among the paths it owns and would go unguarded: add it to "paths".`,
      );
    }
  }
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const owned = find(path)?.owned;
    if (owned === undefined) return undefined;
    known.set(path, owned);
    return owned;
  };
}
