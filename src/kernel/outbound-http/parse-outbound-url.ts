import { parseUrl } from '../text/parse-url.ts';
import { OutboundError } from './outbound-error.ts';

/**
 * Reads an address that a user gave: an absolute HTTP or HTTPS URL without credentials. The URL
 * standard folds decimal, octal, hexadecimal, shortened and full-width spellings of an IPv4 address
 * into the plain one, so later checks see one spelling. Any port is accepted. Does not check what
 * the host resolves to. Throws `INVALID_URL`.
 */
export function parseOutboundUrl(text: string): URL {
  const url = parseUrl(text);
  if (url === undefined) throw invalid('it is not an absolute URL');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid('its scheme is neither');
  if (url.username !== '' || url.password !== '') throw invalid('it carries credentials');
  return url;
}

function invalid(reason: string): OutboundError {
  return new OutboundError(
    'INVALID_URL',
    `The address cannot be called, as ${reason}: give an http:// or https:// URL without user name and password.`,
  );
}
