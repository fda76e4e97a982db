import type { Context } from 'hono';
import { type Answer, toResponse } from '../../kernel/edge/answer.ts';
import { EdgeError, type EdgeErrorCode, edgeErrorStatus } from '../../kernel/edge/edge-error.ts';
import type { EdgeEnv } from '../../kernel/edge/mount.ts';
import type { WriteRefusal } from '../../kernel/edge/paths.ts';
import {
  AuthorizationError,
  type AuthorizationErrorCode,
  asciiText,
  authorizationErrorStatus,
} from '../authorization-error.ts';
import { writeChallenge } from '../guard/challenge.ts';
import type { Guard } from '../guard/principal.ts';
import { passingSeconds } from './error-page.ts';

/** The headers of an answer that must not be cached (RFC 6749 section 5.1). */
export const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

const headers = { 'Content-Type': 'application/json', ...noStore };

/** An answer that must not be cached. */
export function answerJson(value: object, status = 200): Answer {
  return { status, headers, body: JSON.stringify(value) };
}

/** The request that is refused, of which only the headers matter. */
type Refused = { header(name: string): string | undefined };

/**
 * The answer of every authorization endpoint to an error: a refusal becomes `{error, error_description}` (RFC 6749
 * section 5.2). It never redirects; the pages of `/authorize` look at `redirect` themselves first. Any other error
 * is rethrown to the edge, which conceals it.
 */
export function answerError(error: unknown, request: Refused): Answer {
  if (!(error instanceof AuthorizationError)) throw error;
  const { code, message } = error;
  const answer = refusal({ code, message, status: authorizationErrorStatus[code] });
  const hasTried = request.header('authorization') !== undefined;
  // RFC 6749 section 5.2: a client that tried the Authorization header gets a challenge with the scheme.
  if (code === 'invalid_client' && hasTried) {
    return withChallenge(answer, 'Basic realm="tradewind"');
  }
  // RFC 6750 section 3.1: without a token, the challenge names the scheme and no error.
  if (code === 'invalid_token') {
    const told = hasTried ? { error: code } : {};
    return withChallenge(answer, writeChallenge({ scheme: 'Bearer', ...told }));
  }
  return answer;
}

/** The error handler of the routes: as {@link answerError}. */
export function writeAuthorizationError(error: Error, c: { readonly req: Refused }): Response {
  return toResponse(answerError(error, c.req));
}

/** Writes refusals of the edge on authorization paths in the same format. */
export const writeAuthorizationRefusal: WriteRefusal = ({ code, message }) =>
  toResponse(refusal({ code: oauthCode(code), message, status: edgeErrorStatus[code] }));

/**
 * The check of the guard for other services, which know nothing of authorization: while a token cannot be checked, it
 * throws a refusal that the edge writes in the envelope of whichever service owns the path (F53).
 */
export function checkForServices(guard: Pick<Guard, 'check'>): Guard['check'] {
  return async (request, requirement) => {
    try {
      return await guard.check(request, requirement);
    } catch (error) {
      throw forServices(error);
    }
  };
}

/** What an error means on the paths of other services. Refusals of a token are verdicts, so what passes is left. */
function forServices(error: unknown): unknown {
  const isPassing =
    error instanceof AuthorizationError && authorizationErrorStatus[error.code] === 503;
  if (!isPassing) return error;
  const headers = { 'Retry-After': passingSeconds };
  return new EdgeError('NOT_READY', error.message, { headers, cause: error });
}

/** Refusals that are temporary. */
const passing: ReadonlySet<EdgeErrorCode> = new Set([
  'NOT_READY',
  'STORE_UNAVAILABLE',
  'RATE_LIMITED',
]);

function oauthCode(code: EdgeErrorCode): AuthorizationErrorCode {
  if (code === 'INTERNAL_ERROR') return 'server_error';
  return passing.has(code) ? 'temporarily_unavailable' : 'invalid_request';
}

function refusal(told: { code: AuthorizationErrorCode; message: string; status: number }): Answer {
  const { code, message, status } = told;
  return answerJson({ error: code, error_description: asciiText(message) }, status);
}

function withChallenge(answer: Answer, challenge: string): Answer {
  return { ...answer, headers: { ...answer.headers, 'WWW-Authenticate': challenge } };
}

/** Sends the browser on after a form: by 303, so that it does not post again, and not to be cached (R1). */
export function seeOther(c: Context<EdgeEnv>, location: string): Response {
  c.header('Cache-Control', 'no-store');
  return c.redirect(location, 303);
}
