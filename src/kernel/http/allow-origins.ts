import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';

/** What a browser client must be able to read of an answer, beyond the safelisted headers. */
const exposeHeaders = [
  'DPoP-Nonce',
  'Location',
  'Mcp-Session-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

/**
 * Lets pages of other origins read the answers, all origins (`*`) or the named ones. Cookies never
 * travel with such a call, so what the page may read is what anyone with the same token may. Any
 * request header is granted, as tokens and protocol versions travel in headers.
 */
export function allowOrigins(origin: '*' | readonly string[]): MiddlewareHandler {
  // Two hours is the longest that Chromium remembers a preflight.
  return cors({ origin: origin === '*' ? '*' : [...origin], exposeHeaders, maxAge: 7200 });
}
