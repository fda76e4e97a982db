import { authorizationBaseUrl } from '../protocol/base-url.ts';
import { type Judgement, judgeRequests } from './judge-requests.ts';
import type { Guard } from './principal.ts';
import { resourceMetadataUrl } from './resource-metadata-url.ts';

export type LocalGuardOptions = Omit<Judgement, 'resourceOf'> & {
  readonly publicUrl: URL;
  /** The paths that want a token, such as `/mcp`; each is a resource with all that lies below it. */
  readonly paths: readonly string[];
};

/**
 * The guard in the authorization server's own process: it asks the server's keys and its list of
 * revocations in memory, so that a revoked token is refused at once. Addresses are those of the public
 * URL, whatever name a request was sent to.
 */
export function createLocalGuard(options: LocalGuardOptions): Guard {
  const origin = authorizationBaseUrl(options.publicUrl);
  const known = new Map<string, ReturnType<Judgement['resourceOf']>>();
  for (const path of ['', ...options.paths]) {
    const resource = origin + path;
    known.set(path, { resource, metadata: resourceMetadataUrl(resource) });
  }

  return judgeRequests({
    ...options,
    resourceOf({ pathname }) {
      for (let path = pathname; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
        const resource = known.get(path);
        if (resource !== undefined) return resource;
      }
      // A path that is no resource of its own wants a token for the whole origin, or for itself.
      const resource = origin + pathname.replace(/\/+$/, '');
      return { resource, metadata: resourceMetadataUrl(origin) };
    },
  });
}
