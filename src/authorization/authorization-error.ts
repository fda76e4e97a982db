import { DomainError, type DomainErrorOptions } from '../kernel/model/domain-error.ts';

/**
 * Every error code of authorization, under its name in OAuth. The HTTP status applies where the error is
 * answered directly and not sent to a redirect URI.
 */
export const authorizationErrorStatus = {
  // RFC 6749 sections 4.1.2.1 and 5.2
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  access_denied: 403,
  server_error: 500,
  temporarily_unavailable: 503,
  // OpenID Connect Core section 3.1.2.6, for `prompt`
  login_required: 400,
  consent_required: 400,
  interaction_required: 400,
  // RFC 6750 section 3.1
  invalid_token: 401,
  insufficient_scope: 403,
  // RFC 7009 section 2.2.1
  unsupported_token_type: 400,
  // RFC 7591 section 3.2.2
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  // RFC 8628 section 3.5
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  // RFC 8707 section 2
  invalid_target: 400,
  // RFC 9101 section 6.2, RFC 9126 section 2.3
  invalid_request_uri: 400,
  request_not_supported: 400,
  // RFC 9449 sections 5 and 8
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
} as const;

/**
 * The code of an {@link AuthorizationError}.
 *
 * @example
 * ```ts
 * import type { AuthorizationErrorCode } from 'tradewind/guard';
 *
 * export const passes: AuthorizationErrorCode = 'temporarily_unavailable';
 * ```
 */
export type AuthorizationErrorCode = keyof typeof authorizationErrorStatus;

/**
 * A refusal of the authorization service. Its message becomes `error_description`.
 *
 * @example
 * ```ts
 * import { AuthorizationError, createGuard } from 'tradewind/guard';
 *
 * const guard = createGuard({
 *   issuer: 'https://tradewind.example.com',
 *   resource: 'https://api.example.com/mcp',
 * });
 * export async function check(request: Request) {
 *   try {
 *     return await guard.check(request);
 *   } catch (error) {
 *     // The authorization server had to be asked and did not answer.
 *     if (error instanceof AuthorizationError) return error.code; // 'temporarily_unavailable'
 *     throw error;
 *   }
 * }
 * ```
 */
export class AuthorizationError extends DomainError<AuthorizationErrorCode> {
  /**
   * Where the error may be redirected. It is set only once the redirect URI is known to be the client's, so
   * that no error redirects to an unverified address.
   */
  readonly redirect: ErrorRedirect | undefined;

  constructor(
    code: AuthorizationErrorCode,
    message: string,
    options: AuthorizationErrorOptions = {},
  ) {
    super(code, message, options);
    this.redirect = options.redirect;
  }
}

/** For a `catch` that treats a refusal as "not found": returns `undefined`. Rethrows any other error. */
export function noneIfRefused(error: unknown): undefined {
  if (!(error instanceof AuthorizationError)) throw error;
}

export type ErrorRedirect = {
  readonly redirectUri: string;
  readonly state: string | undefined;
  /** The client, if the operator does not vouch for it: a person must agree to the redirect (F17). */
  readonly unvetted: { readonly name: string } | undefined;
};

type AuthorizationErrorOptions = DomainErrorOptions & { redirect?: ErrorRedirect };

/** RFC 6749 section 5.2 allows printable ASCII in an `error_description`, without quote and backslash. */
export function asciiText(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');
}
