import { isLoopbackHost } from '../../kernel/network/is-loopback-host.ts';
import { longestRequestUrl, parseUrl } from '../../kernel/text/parse-url.ts';
import { ClientError } from './client-error.ts';

/**
 * What an address may be written with. RFC 3986 allows more, but nothing of it stands in the endpoints
 * of an honest server, and `$`, quotes, brackets, semicolons and spaces are what shells act upon.
 */
const harmless = /^https?:\/\/[\w.~:/?#[\]@&+,=%*-]+$/i;

/**
 * Reads an address that a server named and that the client will call or show to a browser: `https`, or
 * `http` on this machine; no credentials; none of the characters that a shell acts upon, whoever may
 * start one further on (CVE-2025-6514). `what` names it in the message.
 *
 * Throws `UNSAFE_URL` and `INSECURE_URL`. Does not check where the host leads.
 */
export function checkUrl(text: string, what: string): URL {
  const url = harmless.test(text) ? parseUrl(text, { longest: longestRequestUrl }) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw new ClientError(
      'UNSAFE_URL',
      `The ${what} is not a plain http:// or https:// address, so nothing was opened or called: ask whoever runs the server to correct it.`,
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
