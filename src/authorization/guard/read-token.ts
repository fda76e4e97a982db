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
