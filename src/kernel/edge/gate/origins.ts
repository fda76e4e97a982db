import { isLoopbackHost } from '../../model/network.ts';
import type { HeaderList } from '../answer.ts';
import { EdgeError } from '../edge-error.ts';
import type { EdgeRequest } from '../request.ts';

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

/**
 * Refuses requests that a page of another origin makes (L8). Accepts requests without `Origin`, which come from everyone but
 * browsers, and those from our own origins. `Origin: null` is what browsers send for a form post under `no-referrer`: form paths
 * accept it and rely on their anti-forgery field, others must not.
 *
 * Does not check that the host is ours: {@link checkHost} runs before. Throws `FORBIDDEN_ORIGIN`.
 */
export function checkOrigin(options: {
  publicUrl: URL;
  allowedOrigins: readonly string[];
  acceptNull: boolean;
}): (request: EdgeRequest) => void {
  const { publicUrl, acceptNull } = options;
  const isOwn = ownOrigins(options);
  return (request) => {
    const origin = request.header('origin');
    if (origin === undefined || isOwn(origin, request)) return;
    if (acceptNull && origin === 'null') return;
    throw new EdgeError(
      'FORBIDDEN_ORIGIN',
      `Pages of the origin "${origin.slice(0, 255)}" may not call this path: it answers its own pages at ${publicUrl.origin} and callers that are not browsers.`,
    );
  };
}

/** Tells whether a web page of another origin sent a request. */
type IsForeignPage = (request: Pick<EdgeRequest, 'address' | 'header'>) => boolean;

/**
 * Tells requests of foreign web pages from all others (N2): those with an `Origin` that is not ours,
 * `null` included, and those without one that the browser marks as coming from another origin
 * (`Sec-Fetch-Site`, Fetch Metadata). Programs that are no browsers send neither header.
 *
 * A person who follows a link from another site sends such a request too. So use this to forbid what
 * a page could do by itself, not to refuse a page that asks a person.
 */
export function foreignPages(rules: OriginRules): IsForeignPage {
  const isOwn = ownOrigins(rules);
  return (request) => {
    const origin = request.header('origin');
    if (origin !== undefined) return !isOwn(origin, request);
    const site = request.header('sec-fetch-site');
    return site !== undefined && site !== 'same-origin' && site !== 'none';
  };
}

type OriginRules = {
  readonly publicUrl: URL;
  /** Origins that the operator trusts like our own. */
  readonly allowedOrigins?: readonly string[];
};

/**
 * Whether an origin is ours: that of the public URL, one allowed by name, or a loopback origin that is
 * exactly the host the request names, so a developer may say 127.0.0.1 for localhost. Another port of
 * this machine is another origin. Does not check that the host is ours: {@link checkHost} does.
 */
function ownOrigins({
  publicUrl,
  allowedOrigins = [],
}: OriginRules): (origin: string, request: Pick<EdgeRequest, 'address'>) => boolean {
  const own = new Set([publicUrl.origin, ...allowedOrigins]);
  return (origin, { address }) =>
    own.has(origin) || (origin === address.origin && isLoopbackHost(address.hostname));
}
