import type { MiddlewareHandler } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { createBoundedMap } from '../wait/remembered.ts';
import type { HeaderList } from './answer.ts';
import type { EdgeError } from './edge-error.ts';
import {
  type AnswerOperation,
  type DirectOperations,
  flattenPath,
  indexOperations,
  type MatchedOperation,
  parsePathTemplate,
} from './index-operations.ts';
import { edgeLimits } from './limits.ts';
import type { Operation } from './operation.ts';
import type { EdgeRequest } from './request.ts';

/** A path of a service: how it is guarded, and how refusals on it are written. */
export type OwnedPath = {
  readonly pattern: string;
  readonly policy: PathPolicy;
  readonly guard: PathGuard;
  readonly writeRefusal: WriteRefusal | undefined;
  /** The operations at this path and what answers them, if the service lets the edge dispatch them. */
  readonly served?: ServedPath;
};

type ServedPath = {
  readonly matched: readonly MatchedOperation[];
  readonly answer: AnswerOperation;
  /** The one that is answered without the app, where there is one. */
  readonly direct: DirectPath | undefined;
};

export type DirectPath = Pick<DirectOperations, 'answer'> & { readonly matched: MatchedOperation };

/** The part of a mount that decides who owns a path. */
type Owner = {
  readonly app?: { readonly routes: readonly { readonly path: string }[] };
  readonly endpoints?: readonly { readonly path: string }[];
  readonly service?: { readonly operations: readonly Operation[] };
  readonly answer?: AnswerOperation;
  readonly direct?: DirectOperations;
  readonly paths: Readonly<Record<string, PathPolicy>>;
  readonly writeRefusal?: WriteRefusal;
};

type AnsweredOperation = {
  readonly owned: OwnedPath;
  readonly answer: AnswerOperation;
  readonly direct: DirectOperations | undefined;
};

/** Owners of paths are cached, since matching costs more than the guards. An evicted path is matched again. */
const pathsKept = edgeLimits.pathsKept.value;

/**
 * Finds who owns a path, how it is guarded and which declared operations are there.
 * Throws a `TypeError` for a mount that serves what it does not own.
 */
export function indexPaths(
  mounts: readonly Owner[],
  guardFor: (policy: PathPolicy) => PathGuard,
): (path: string) => OwnedPath | undefined {
  const index = new TrieRouter<{ owner: Owner; owned: OwnedPath }>();
  const find = (path: string) => index.match('ALL', path)[0][0]?.[0];
  const known = createBoundedMap<string, OwnedPath>(pathsKept);
  const answered = new Map<Operation, AnsweredOperation>();
  for (const mount of mounts) {
    for (const [path, policy] of Object.entries(mount.paths)) {
      const { writeRefusal } = mount;
      index.add('ALL', path, {
        owner: mount,
        owned: { pattern: path, policy, guard: guardFor(policy), writeRefusal },
      });
    }
    const { answer, direct, service } = mount;
    const operations = answer === undefined ? [] : (service?.operations ?? []);
    const served = [
      ...(mount.app?.routes ?? []),
      ...(mount.endpoints ?? []),
      ...operations.map(({ path }) => ({ path: flattenPath(parsePathTemplate(path)) })),
    ];
    const stray = served.find(({ path }) => find(path)?.owner !== mount);
    if (stray !== undefined) {
      throw new TypeError(
        `A mounted app serves ${stray.path}, which is not among the paths it owns and would go unguarded: add it to "paths".`,
      );
    }
    for (const operation of operations) {
      const owned = find(flattenPath(parsePathTemplate(operation.path)))?.owned;
      if (owned && answer) {
        answered.set(operation, { owned: narrow(owned, operation), answer, direct });
      }
    }
  }
  const operationsAt = indexOperations([...answered.keys()]);

  function narrow(owned: OwnedPath, { path, bodyBytes }: Operation): OwnedPath {
    const policy =
      bodyBytes === undefined ? owned.policy : { ...owned.policy, bodyLimit: bodyBytes };
    return { ...owned, pattern: path, policy, guard: guardFor(policy) };
  }

  function findOwned(path: string): OwnedPath | undefined {
    const matched = operationsAt(path);
    const first = matched[0] && answered.get(matched[0].operation);
    if (first === undefined) return find(path)?.owned;
    const { owned, answer, direct } = first;
    return { ...owned, served: { matched, answer, direct: direct && findDirect(matched, direct) } };
  }

  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const owned = findOwned(path);
    if (owned === undefined) return undefined;
    known.set(path, owned);
    return owned;
  };
}

function findDirect(
  served: readonly MatchedOperation[],
  { operations, answer }: DirectOperations,
): DirectPath | undefined {
  const matched = served.find(({ operation }) => operations.has(operation));
  return matched && { matched, answer };
}

/** How one path is guarded. */
export type PathPolicy = {
  /** The largest body in bytes; 64 KiB unless said otherwise. */
  bodyLimit?: number;
  /**
   * Whose pages may call it: `own` (the default) our own and those allowed by name; `own-or-null` also
   * forms, which browsers send with `Origin: null`; `any` everyone's, for paths that trust no cookie.
   */
  origins?: 'own' | 'own-or-null' | 'any';
  /** It answers under any host name and without TLS, for probes that know only an address. */
  isProbe?: boolean;
  /** Its access log is written at the level `debug`, for paths that programs call every second. */
  isQuiet?: boolean;
  /** The path contains a secret: the access log names the pattern instead. */
  hasSecret?: boolean;
};

/** The guards that follow from a policy. */
export type PathGuard = {
  /** The largest body in bytes. */
  readonly bodyLimit: number;
  /** Refuses bodies above it, counting those of undeclared length. */
  readonly limitBody: MiddlewareHandler;
  /** Refuses calls of pages that may not call the path. Throws `FORBIDDEN_ORIGIN`. */
  readonly checkOrigin: ((request: EdgeRequest) => void) | undefined;
  /** The headers that let pages read the answers; absent if no other origin may. */
  readonly allowOrigins: ((request: EdgeRequest) => HeaderList) | undefined;
};

/** Writes a refusal of the edge in a service's own envelope. */
export type WriteRefusal = (
  error: EdgeError,
  refused: { readonly request: EdgeRequest; readonly requestId: string },
) => Response | Promise<Response>;
