import type { Discovery } from './discover.ts';
import { splitScope } from './read-challenges.ts';

/**
 * The scope to request: what the caller configured, else what the challenge demands, else all scopes that the
 * resource names. An empty list leaves the choice to the server. `offline_access` is added if the authorization
 * server lists it, because some servers issue no refresh token without it.
 */
export function chooseScope(options: {
  configured: string | undefined;
  demanded: readonly string[] | undefined;
  discovery: Pick<Discovery, 'scopesSupported' | 'metadata'>;
}): readonly string[] {
  const { configured, demanded, discovery } = options;
  const chosen =
    configured === undefined
      ? (demanded ?? discovery.scopesSupported ?? [])
      : splitScope(configured);
  const hasOffline = discovery.metadata.scopes_supported?.includes('offline_access') === true;
  return hasOffline && chosen.length > 0 ? unite(chosen, ['offline_access']) : chosen;
}

/** Both lists as one, each word once. */
export function unite(one: readonly string[], other: readonly string[]): readonly string[] {
  return [...new Set([...one, ...other])];
}
