import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { EdgeEnv } from '../../../kernel/http/edge-env.ts';
import { type EdgeErrorCode, edgeErrorStatus } from '../../../kernel/http/edge-error.ts';
import type { WriteRefusal } from '../../../kernel/http/write-refusal.ts';
import {
  AuthorizationError,
  type AuthorizationErrorCode,
  authorizationErrorStatus,
} from '../../authorization-error.ts';
import { writeChallenge } from '../../guard/write-challenge.ts';
import { asciiText } from './ascii-text.ts';
import { noStore } from './no-store.ts';

/**
 * The error handler of every authorization route: a refusal becomes `{error, error_description}`
 * (RFC 6749 section 5.2). It never redirects; the pages of `/authorize` look at `redirect` themselves
 * first. What is no refusal of this domain is thrown on to the edge, which conceals it.
 */
export function writeAuthorizationError(error: Error, c: Context<EdgeEnv>): Response {
  if (!(error instanceof AuthorizationError)) throw error;
  const { code, message } = error;
  const response = write(c, { code, message, status: authorizationErrorStatus[code] });
  // RFC 6749 section 5.2: whoever tried the Authorization header is told the scheme.
  if (code === 'invalid_client' && c.req.header('authorization') !== undefined) {
    response.headers.set('WWW-Authenticate', 'Basic realm="tradewind"');
  }
  // RFC 6750 section 3.1: a request without a token is told the scheme and no error.
  if (code === 'invalid_token') {
    const hasToken = c.req.header('authorization') !== undefined;
    const challenge = writeChallenge({ scheme: 'Bearer', ...(hasToken ? { error: code } : {}) });
    response.headers.set('WWW-Authenticate', challenge);
  }
  return response;
}

/** Writes what the edge refuses on a path of authorization in the same envelope. */
export const writeAuthorizationRefusal: WriteRefusal = ({ code, message }, c) =>
  write(c, { code: oauthCode(code), message, status: edgeErrorStatus[code] });

function oauthCode(code: EdgeErrorCode): AuthorizationErrorCode {
  if (code === 'INTERNAL_ERROR') return 'server_error';
  if (code === 'NOT_READY' || code === 'RATE_LIMITED') return 'temporarily_unavailable';
  return 'invalid_request';
}

function write(
  c: Context<EdgeEnv>,
  refusal: { code: AuthorizationErrorCode; message: string; status: ContentfulStatusCode },
): Response {
  const { code, message, status } = refusal;
  return c.json({ error: code, error_description: asciiText(message) }, status, noStore);
}
