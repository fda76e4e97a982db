import {
  AuthorizationResponseError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import { OutboundError, type OutboundErrorCode } from '../../../kernel/outbound/guard-addresses.ts';
import { AuthorizationError } from '../../authorization-error.ts';

/** Codes by which the identity provider says that the person or the provider itself declined (S14). */
const denials = new Set([
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
]);

/** Failures in which no answer came. A refused address is not among them: it is somebody's mistake. */
const silences: ReadonlySet<OutboundErrorCode> = new Set([
  'TIMED_OUT',
  'CONNECT_FAILED',
  'CONNECTION_LOST',
  'NAME_NOT_FOUND',
] as const);

function isSilence({ code, refusal }: OutboundError): boolean {
  return silences.has(code) && (refusal === undefined || refusal.kind === 'unresolved');
}

/**
 * Translates a failure at the identity provider into an error for our own client (S14): a denial becomes
 * `access_denied`, silence `temporarily_unavailable`, everything else, such as a 5xx, `server_error`. The
 * causes contain whole answers, including tokens, so they are dropped. Our own refusals pass through.
 */
export function explainFailure(error: unknown, name: string): AuthorizationError {
  if (error instanceof AuthorizationError) return error;
  if (error instanceof AuthorizationResponseError && denials.has(error.error)) {
    return new AuthorizationError('access_denied', `The sign-in at ${name} was refused.`);
  }
  const isSilent =
    (error instanceof OutboundError && isSilence(error)) ||
    (error instanceof AuthorizationResponseError && error.error === 'temporarily_unavailable');
  if (isSilent) {
    return new AuthorizationError(
      'temporarily_unavailable',
      `${name} does not answer: try again later.`,
    );
  }
  return new AuthorizationError('server_error', `${name} could not complete the sign-in.`);
}

/** Whether the identity provider said that a token is no longer valid. */
export function isTokenRefusal(error: unknown): boolean {
  if (error instanceof WWWAuthenticateChallengeError) return error.status === 401;
  return error instanceof ResponseBodyError && error.error === 'invalid_grant';
}
