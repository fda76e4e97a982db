import { isLoopbackHost } from '../../kernel/network/is-loopback-host.ts';
import { longestRequestUrl, parseUrl } from '../../kernel/text/parse-url.ts';
import { ClientError } from './client-error.ts';

/**
 * The characters that an address may contain. RFC 3986 allows more, but endpoints of honest servers do
 * not use them, and shells interpret `$`, quotes, parentheses, semicolons and spaces.
 */
const harmless = /^https?:\/\/[\w.~:/?#[\]@&+,=%*-]+$/i;

/**
 * Parses an address that a server named, before the client calls it or shows it to a browser: `https`,
 * or `http` on this machine; no credentials; only the characters of `harmless`, in case a later
 * program passes the address to a shell (CVE-2025-6514). `what` names the address in the message.
 *
 * Throws `UNSAFE_URL` and `INSECURE_URL`. Does not check where the host leads.
 */
export function checkUrl(text: string, what: string): URL {
  const url = harmless.test(text) ? parseUrl(text, { longest: longestRequestUrl }) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw new ClientError(
      'UNSAFE_URL',
      `The ${what} is not an http:// or https:// URL without credentials and special characters, so nothing was opened or called: ask the operator of the server to correct it.`,
    );
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw new ClientError(
      'INSECURE_URL',
      `The ${what} at ${url.origin} is plain HTTP, and tokens are not sent over plain HTTP: use https://, or a server on this machine.`,
    );
  }
  return url;
}
