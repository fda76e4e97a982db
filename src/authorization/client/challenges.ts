import type { Discovery } from './discover.ts';

/** One way of authenticating that a server offers in `WWW-Authenticate` (RFC 9110 section 11.6.1). */
type Challenge = {
  /** In lower case, such as `bearer`. */
  readonly scheme: string;
  /** Names in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
};

/** A parameter with its value, quoted or bare; or else a word alone, which is a scheme. */
const part = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/g;

/**
 * The challenges in a `WWW-Authenticate` header, in their order. It reads what it can and skips the rest: servers
 * write this header in many ways, and the flow must go on after a refusal.
 */
export function readChallenges(header: string | null): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  for (const [, name = '', quoted, bare] of (header ?? '').matchAll(part)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? bare;
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: {} });
    const parameters = challenges.at(-1)?.parameters;
    if (parameters !== undefined && value !== undefined) parameters[name.toLowerCase()] ??= value;
  }
  return challenges;
}

/** What a refusal says about the required token. */
export type Demand = {
  readonly error: string | undefined;
  readonly scope: readonly string[] | undefined;
  readonly resourceMetadata: string | undefined;
  /** Whether the server accepts only tokens that are bound to a key (RFC 9449 section 7.1). */
  readonly isDpopOnly: boolean;
};

/** Reads the demand of a refused request; a header without a token scheme demands nothing in particular. */
export function readDemand(response: Response): Demand {
  const challenges = readChallenges(response.headers.get('www-authenticate'));
  const bearer = challenges.find(({ scheme }) => scheme === 'bearer');
  const dpop = challenges.find(({ scheme }) => scheme === 'dpop');
  const { error, scope, resource_metadata } = (bearer ?? dpop)?.parameters ?? {};
  return {
    error,
    scope: scope === undefined ? undefined : splitScope(scope),
    resourceMetadata: resource_metadata,
    isDpopOnly: bearer === undefined && dpop !== undefined,
  };
}

/** The words of a scope, each once. */
export function splitScope(scope: string): readonly string[] {
  return [...new Set(scope.split(' '))].filter(Boolean);
}

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
