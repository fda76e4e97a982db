/**
 * The access token of a request, from the `Authorization` header and from nowhere else: a token in
 * the query string is never looked at (OAuth 2.1 section 5.1). Does not check the token.
 */
export function readBearerToken(request: Request): string | undefined {
  const header = request.headers.get('authorization');
  return /^bearer +([\w.~+/-]+=*)$/i.exec(header ?? '')?.[1];
}

export type BearerChallenge = {
  /** Absent when the request carried no token at all (RFC 6750 section 3.1). */
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
  readonly errorDescription?: string;
  readonly scope?: readonly string[];
  /** The protected-resource metadata document (RFC 9728 section 5.1). */
  readonly resourceMetadata?: string;
};

/** The value of `WWW-Authenticate` that tells a client what is missing. Quotes in texts become apostrophes. */
export function bearerChallenge(challenge: BearerChallenge): string {
  const parameters = {
    error: challenge.error,
    error_description: challenge.errorDescription,
    scope: challenge.scope?.join(' '),
    resource_metadata: challenge.resourceMetadata,
  };
  const written = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${String(value).replace(/["\\]/g, "'")}"`);
  return ['Bearer', written.join(', ')].filter(Boolean).join(' ');
}
