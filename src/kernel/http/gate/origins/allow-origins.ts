import type { EdgeRequest } from '../../messages/edge-request.ts';
import type { HeaderList } from '../../messages/header-list.ts';

/** The headers that a page must be able to read, beyond those that every page may (Fetch, section 3.3). */
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
 * The CORS headers that let pages of other origins read an answer: of all origins (`*`) or of the
 * named ones. Such calls never carry cookies, so a page can read only what anyone with the same
 * token can. Any request header is granted, as tokens and protocol versions travel in headers.
 */
export function allowOrigins(
  origins: '*' | readonly string[],
): (request: EdgeRequest) => HeaderList {
  const toAnyone = ['Access-Control-Allow-Origin', '*', ...exposed];
  if (origins === '*') {
    return (request) =>
      isPreflight(request) ? [...toAnyone, ...preflightHeaders(request)] : toAnyone;
  }
  const named = new Set(origins);
  return (request) => {
    const origin = request.header('origin') ?? '';
    if (!named.has(origin)) return ['Vary', 'Origin'];
    const allowed = ['Vary', 'Origin', 'Access-Control-Allow-Origin', origin, ...exposed];
    return isPreflight(request) ? [...allowed, ...preflightHeaders(request)] : allowed;
  };
}

/** Whether this is a CORS preflight, by which a browser asks if a page may send its request. */
export function isPreflight(request: EdgeRequest): boolean {
  return (
    request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined
  );
}

const exposed = ['Access-Control-Expose-Headers', exposedHeaders];

function preflightHeaders(request: EdgeRequest): HeaderList {
  const method = request.header('access-control-request-method') ?? '';
  const headers = request.header('access-control-request-headers');
  return [
    'Access-Control-Allow-Methods',
    method,
    ...(headers === undefined ? [] : ['Access-Control-Allow-Headers', headers]),
    // Two hours is the longest that Chromium remembers a preflight.
    'Access-Control-Max-Age',
    '7200',
  ];
}
