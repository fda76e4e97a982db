import { isLoopbackHost } from '../../kernel/model/network.ts';
import { parseUrl } from '../../kernel/text/url.ts';

/**
 * What is wrong with a redirect URI, as the end of a sentence; `undefined` if it may be registered: HTTPS anywhere,
 * or HTTP on loopback (RFC 8252 section 7.3). It must be in the normal form of the URL standard, so that no two
 * parsers see different hosts or paths in it: no user information, fragment, capitals in scheme or host, dot
 * segments, unusual notations of IP addresses. Does not check who owns the host.
 */
export function redirectUriProblem(text: string): string | undefined {
  const url = parseExactly(text);
  if (text.includes('#')) return 'has a fragment, which the answer would replace';
  if (url === undefined) {
    return 'is not in the form that browsers use: give an absolute http or https URL without user information, capitals in the host, or dot segments';
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return 'uses http on a host other than this machine: use https, or localhost for a local program';
  }
  return undefined;
}

/**
 * Whether a redirect URI is one of those registered: the same text, or on loopback the same but for the port, which
 * a native program chooses at each start (RFC 8252 section 7.3).
 */
export function isRegisteredRedirectUri(text: string, registered: readonly string[]): boolean {
  if (redirectUriProblem(text) !== undefined) return false;
  return registered.some(
    (candidate) =>
      candidate === text || withoutLoopbackPort(candidate) === withoutLoopbackPort(text),
  );
}

/** Whether the answer goes to a program on the person's own machine. */
function isLoopbackRedirectUri(text: string): boolean {
  return isLoopbackHost(parseUrl(text)?.hostname ?? '');
}

function withoutLoopbackPort(text: string): string {
  return isLoopbackRedirectUri(text)
    ? text.replace(/^([^/]+\/\/[^/?]+?):\d+([/?]|$)/, '$1$2')
    : text;
}

/** The URL, if the text is in the normal form of the URL standard; a default port and an empty path are allowed. */
function parseExactly(text: string): URL | undefined {
  const [, scheme, authority, rest = ''] = /^(https?):\/\/([^/?#]+)([^#]*)/.exec(text) ?? [];
  const url = parseUrl(text);
  if (url === undefined || url.username !== '' || url.password !== '') return undefined;
  const defaultPort = scheme === 'https' ? ':443' : ':80';
  const isHostExact = authority === url.host || authority === `${url.host}${defaultPort}`;
  const isRestExact = url.pathname + url.search === (rest.startsWith('/') ? rest : `/${rest}`);
  return isHostExact && isRestExact ? url : undefined;
}
