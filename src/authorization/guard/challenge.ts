import { asciiText } from '../authorization-error.ts';
import { signingAlgorithms } from '../protocol/dpop-proof.ts';

type Challenge = {
  readonly scheme: 'Bearer' | 'DPoP';
  /** Absent when the request carried no token at all (RFC 6750 section 3.1). */
  readonly error?: 'invalid_token' | 'insufficient_scope' | 'invalid_dpop_proof';
  readonly errorDescription?: string;
  readonly scope?: readonly string[];
  /** The protected-resource metadata document (RFC 9728 section 5.1). */
  readonly resourceMetadata?: string | undefined;
};

/**
 * The value of `WWW-Authenticate` that tells a client what is missing. Quotes become apostrophes,
 * and all but printable ASCII becomes question marks: a header can hold nothing else.
 */
export function writeChallenge(challenge: Challenge): string {
  const { scheme, error, errorDescription, scope, resourceMetadata } = challenge;
  const parameters = {
    error,
    error_description: errorDescription,
    scope: scope === undefined || scope.length === 0 ? undefined : scope.join(' '),
    resource_metadata: resourceMetadata,
    // RFC 9449 section 7.1
    algs: scheme === 'DPoP' ? signingAlgorithms.join(' ') : undefined,
  };
  const written = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${asciiText(String(value))}"`);
  return [scheme, written.join(', ')].filter(Boolean).join(' ');
}

/** The access token of a request, and under which scheme it came. */
export type PresentedToken = { readonly scheme: 'Bearer' | 'DPoP'; readonly token: string };

/**
 * The access token of a request, from the `Authorization` header and from nowhere else: a token in
 * the query string is never looked at (S4, OAuth 2.1 section 5.1). Does not check the token.
 */
export function readToken(request: Request): PresentedToken | undefined {
  const header = request.headers.get('authorization');
  const [, scheme, token] = /^(bearer|dpop) +([\w.~+/-]+=*)$/i.exec(header ?? '') ?? [];
  if (scheme === undefined || token === undefined) return undefined;
  return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token };
}

/** The bearer token of a request, for endpoints whose tokens are bound to no key. */
export function readBearerToken(request: Request): string | undefined {
  const presented = readToken(request);
  return presented?.scheme === 'Bearer' ? presented.token : undefined;
}

/** Where a resource is described: the well-known path precedes its own (RFC 9728 section 3.1). */
export function resourceMetadataUrl(resource: string): string {
  const { origin, pathname, search } = new URL(resource);
  const path = pathname === '/' ? '' : pathname;
  return `${origin}/.well-known/oauth-protected-resource${path}${search}`;
}
