/** Whom a valid token speaks for. */
export type Principal = {
  /** The person's account id, or the client's id where it acts for itself. */
  readonly subject: string;
  readonly clientId: string;
  /** Whether a person stands behind it; else the client acts for itself. */
  readonly isPerson: boolean;
  readonly scope: readonly string[];
  /** The token's own id (`jti`), for logs. */
  readonly tokenId: string;
  /** When the token ends, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /**
   * Calls back once the token is revoked before its time, so that a stream can end then; the answer
   * ends the wait. Only the guard in the authorization server's own process learns of it unasked.
   */
  readonly onRevoked?: (callback: () => void) => () => void;
};

/** Why a request is not let in, with everything its answer must say (RFC 6750 section 3). */
export type Refusal = {
  readonly status: 401 | 403;
  readonly reason: 'missing' | 'expired' | 'invalid' | 'insufficient_scope';
  /** The code in the challenge; none where no token came. */
  readonly error?: 'invalid_token' | 'insufficient_scope' | 'invalid_dpop_proof';
  /** For people: what is wrong and what to do. */
  readonly message: string;
  /** Values of `WWW-Authenticate`, one for each scheme. */
  readonly challenges: readonly string[];
};

export type GuardVerdict =
  | { readonly principal: Principal; readonly refusal?: undefined }
  | { readonly refusal: Refusal; readonly principal?: undefined };

/** What a request must bring. */
export type Requirement = {
  /** All of these scopes; an empty list asks for a valid token alone. */
  readonly scope: readonly string[];
  /** Instead of all of `scope`, one of them is enough; challenges name the first, which should be the least. */
  readonly isAnyEnough?: boolean;
  /** What the challenge to a caller without a valid token names instead of `scope`: enough to begin with. */
  readonly suggestedScope?: readonly string[];
};

/** Checks requests one by one; it remembers no session (S3). */
export type Guard = {
  /** Who asks, or why they are not let in, for services with an envelope of their own. */
  check(request: Request, requirement?: Requirement): Promise<GuardVerdict>;
  /** Who asks, or the finished answer to send back. */
  protect(request: Request, requirement?: Requirement): Promise<Principal | Response>;
};
