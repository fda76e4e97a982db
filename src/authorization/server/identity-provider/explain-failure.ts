import {
  AuthorizationResponseError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import {
  OutboundError,
  type OutboundErrorCode,
} from '../../../kernel/outbound-http/outbound-error.ts';
import { AuthorizationError } from '../../authorization-error.ts';

/** Codes by which the identity provider says that the person, or it, did not want this (S14). */
const denials = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
]);

/** Ways in which no answer came; an address that is not called is a mistake of somebody instead. */
const silences: ReadonlySet<OutboundErrorCode> = new Set([
  'TIMED_OUT',
  'CONNECT_FAILED',
  'CONNECTION_LOST',
  'NAME_NOT_FOUND',
] as const);

/**
 * What a failure at the identity provider is to our own client (S14): a denial is `access_denied`, silence is
 * `temporarily_unavailable`, everything else, such as a 5xx, is `server_error`. The causes repeat whole
 * answers, tokens included, so nothing of them is kept. Refusals of our own pass through.
 */
export function explainFailure(error: unknown, name: string): AuthorizationError {
  if (error instanceof AuthorizationError) return error;
  if (error instanceof AuthorizationResponseError && denials.has(error.error)) {
    return new AuthorizationError('access_denied', `The sign-in at ${name} was refused.`);
  }
  const isSilent =
    (error instanceof OutboundError && silences.has(error.code)) ||
    (error instanceof AuthorizationResponseError && error.error === 'temporarily_unavailable');
  if (isSilent) {
    return new AuthorizationError(
      'temporarily_unavailable',
      `${name} does not answer: try again later.`,
    );
  }
  return new AuthorizationError('server_error', `${name} could not complete the sign-in.`);
}

/** Whether the identity provider said that a token is good no longer. */
export function isTokenRefusal(error: unknown): boolean {
  if (error instanceof WWWAuthenticateChallengeError) return error.status === 401;
  return error instanceof ResponseBodyError && error.error === 'invalid_grant';
}
