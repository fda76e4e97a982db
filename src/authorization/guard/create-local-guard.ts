import { withoutTrailing } from '../../kernel/text/without-trailing.ts';
import { authorizationBaseUrl } from '../protocol/base-url.ts';
import { originUsed } from '../protocol/resource.ts';
import { type GuardDependencies, judgeRequests } from './judge-requests.ts';
import type { Guard } from './principal.ts';
import { resourceMetadataUrl } from './resource-metadata-url.ts';

export type LocalGuardOptions = Omit<GuardDependencies, 'resourceOf'> & {
  readonly publicUrl: URL;
  /** The paths that want a token, such as `/mcp`; each is a resource with all that lies below it. */
  readonly paths: readonly string[];
};

/**
 * The guard in the authorization server's own process: it asks the server's keys and its list of
 * revocations in memory, so that a revoked token is refused at once. Addresses are those of the public
 * URL, whatever name a request was sent to; only on loopback is the name told back that was used.
 */
export function createLocalGuard(options: LocalGuardOptions): Guard {
  const origin = authorizationBaseUrl(options.publicUrl);
  const longestFirst = options.paths.toSorted((one, other) => other.length - one.length);

  return judgeRequests({
    ...options,
    resourceOf(url) {
      const { pathname } = url;
      const used = originUsed(url, origin);
      const path = longestFirst.find((one) => pathname === one || pathname.startsWith(`${one}/`));
      if (path !== undefined) return describe(path, used);
      // A path that is no resource of its own wants a token for the whole origin, or for itself.
      const resource = origin + withoutTrailing(pathname, '/');
      return { resource, metadata: resourceMetadataUrl(used), origin: used };
    },
  });

  function describe(path: string, used: string) {
    return { resource: origin + path, metadata: resourceMetadataUrl(used + path), origin: used };
  }
}
