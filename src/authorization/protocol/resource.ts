import { isLoopbackHost } from '../../kernel/model/network.ts';
import { withoutTrailing } from '../../kernel/text/text.ts';
import { parseUrl } from '../../kernel/text/url.ts';
import { AuthorizationError } from '../authorization-error.ts';
import { authorizationLimits } from '../limits.ts';
import type { Form } from './form.ts';

const mostResources = authorizationLimits.resourcesOfRequest.value;
const longestResource = authorizationLimits.resource.value;

/**
 * The one spelling of a resource's address (RFC 8707): an absolute http or https URL without user
 * information and fragment; a slash at its end makes no difference and is dropped (L2).
 *
 * Throws `invalid_target`. Does not check that anything answers there.
 */
export function parseResource(text: string): string {
  const url = parseUrl(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (
    url === undefined ||
    !isWeb ||
    url.username !== '' ||
    url.password !== '' ||
    text.includes('#')
  ) {
    throw new AuthorizationError(
      'invalid_target',
      `The resource "${text.slice(0, 200)}" is not an absolute http or https URL without fragment and user information: send the address of the server that the token is for.`,
    );
  }
  return url.origin + withoutTrailing(url.pathname, '/') + url.search;
}

/**
 * A resource as {@link parseResource} spells it, under the one name that this server has: on loopback
 * `localhost`, 127.0.0.1 and `[::1]` at its port are the same server. Throws `invalid_target`.
 */
export function parseOwnResource(text: string, origin: string): string {
  const resource = parseResource(text);
  const used = originUsed(new URL(resource), origin);
  return used === origin ? resource : origin + resource.slice(used.length);
}

/**
 * The resources that a request names, each once, as {@link parseOwnResource} gives them. Throws `invalid_target`, also
 * for more or longer ones than a token should carry (N5).
 */
export function readOwnResources(form: Pick<Form, 'all'>, origin: string): readonly string[] {
  const given = form.all('resource');
  const length = Math.max(0, ...given.map((text) => text.length));
  if (given.length > mostResources || length > longestResource) {
    throw new AuthorizationError(
      'invalid_target',
      `The request names ${given.length} resources of up to ${length} characters, but at most ${mostResources} of ${longestResource} are allowed: ask for fewer at a time.`,
    );
  }
  return [...new Set(given.map((text) => parseOwnResource(text, origin)))];
}

/**
 * The origin by which a client calls this server: the server's own, or that of the address if both name this machine
 * with the same scheme and port. No other name is ever adopted.
 */
export function originUsed(
  address: Pick<URL, 'origin' | 'protocol' | 'hostname' | 'port'>,
  origin: string,
): string {
  if (address.origin === origin) return origin;
  const own = new URL(origin);
  const isSame = address.protocol === own.protocol && address.port === own.port;
  const isLocal = isLoopbackHost(own.hostname) && isLoopbackHost(address.hostname);
  return isSame && isLocal ? address.origin : origin;
}

/**
 * Whether a token for `audience` is good at `resource`, both as {@link parseResource} spells them: a
 * token for a whole origin is good at each of its paths, one for a path at that path alone.
 */
export function isAudienceOf(audience: string, resource: string): boolean {
  return audience === resource || (resource.startsWith(`${audience}/`) && isOrigin(audience));
}

function isOrigin(audience: string): boolean {
  return audience.indexOf('/', audience.indexOf('//') + 2) === -1 && !audience.includes('?');
}
