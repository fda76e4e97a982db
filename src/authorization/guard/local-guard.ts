import { withoutTrailing } from '../../kernel/text/text.ts';
import { authorizationBaseUrl } from '../protocol/base-url.ts';
import { originUsed } from '../protocol/resource.ts';
import { resourceMetadataUrl } from './challenge.ts';
import { type GuardDependencies, judgeRequests } from './judge-requests.ts';
import type { Guard } from './principal.ts';

type LocalGuardOptions = Omit<GuardDependencies, 'resourceOf'> & {
  readonly publicUrl: URL;
  /** The paths that require a token, such as `/mcp`. Each is a resource with everything below it. */
  readonly paths: readonly string[];
};

/**
 * The guard in the authorization server's own process. It uses the server's keys and its revocation
 * list in memory, so it refuses a revoked token at once. Its addresses use the public URL, whatever
 * host name a request was sent to; only on loopback do they repeat the name that was used.
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
      // A path that is no resource of its own requires a token for the whole origin, or for itself.
      const resource = origin + withoutTrailing(pathname, '/');
      return { resource, metadata: resourceMetadataUrl(used), origin: used };
    },
  });

  function describe(path: string, used: string) {
    return { resource: origin + path, metadata: resourceMetadataUrl(used + path), origin: used };
  }
}
