import type { MiddlewareHandler } from 'hono';

/** What a page must be able to read of an answer, beyond the headers every page may (Fetch, section 3.3). */
const exposedHeaders = [
  'DPoP-Nonce',
  'Location',
  'Mcp-Session-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/**
 * Lets pages of other origins read the answers, all of them (`*`) or the named ones (CORS). Cookies
 * never travel with such a call, so a page may read what anyone with the same token may. Any request
 * header is granted, as tokens and protocol versions travel in headers. What is no preflight goes on
 * to the guard inside.
 *
 * Hono's own middleware touches the answer before the handler has made one, after which every answer
 * is copied through a stream: bench/edge shows what that costs.
 */
export function allowOrigins(
  origins: '*' | readonly string[],
  inner: MiddlewareHandler,
): MiddlewareHandler {
  const named = origins === '*' ? undefined : new Set(origins);
  return async (c, next) => {
    const requestedMethod = c.req.header('access-control-request-method');
    const isPreflight = c.req.method === 'OPTIONS' && requestedMethod !== undefined;
    if (isPreflight) c.res = new Response(null, { status: 204 });
    else await inner(c, next);

    const { headers } = c.res;
    const origin = c.req.header('origin') ?? '';
    if (named !== undefined) headers.append('Vary', 'Origin');
    if (named !== undefined && !named.has(origin)) return;
    headers.set('Access-Control-Allow-Origin', named === undefined ? '*' : origin);
    headers.set('Access-Control-Expose-Headers', exposedHeaders);
    if (!isPreflight) return;
    headers.set('Access-Control-Allow-Methods', requestedMethod);
    const requestedHeaders = c.req.header('access-control-request-headers');
    if (requestedHeaders !== undefined) {
      headers.set('Access-Control-Allow-Headers', requestedHeaders);
    }
    // Two hours is the longest that Chromium remembers a preflight.
    headers.set('Access-Control-Max-Age', '7200');
  };
}
