import { queryOf } from '../../kernel/http/messages/request-address.ts';
import type { EventsCaller, IdentifyCaller } from '../caller.ts';
import { EventsError } from '../errors/events-error.ts';
import { insufficientScope } from '../errors/insufficient-scope.ts';
import type { Method } from './methods/method.ts';

const reasons = {
  missing: 'CREDENTIALS_MISSING',
  expired: 'ACCESS_TOKEN_EXPIRED',
  invalid: 'ACCESS_TOKEN_INVALID',
} as const;

/**
 * Identifies the caller (E7.1, E7.4). Refuses a token in the query even beside a valid header (E7.7), because every
 * proxy on the way would log it. Throws `UNAUTHENTICATED`, and `PERMISSION_DENIED` if the token has none of the
 * method's scopes (E7.5).
 */
export async function identify(
  request: Request,
  { method, identifyCaller }: { readonly method: Method; readonly identifyCaller: IdentifyCaller },
): Promise<EventsCaller> {
  const searchParams = queryOf(request);
  const refused = ['access_token', 'oauth_token'].find((name) => searchParams.has(name));
  if (refused !== undefined) {
    throw new EventsError(
      'UNAUTHENTICATED',
      `${refused} in the query is refused: send the token in the header Authorization: Bearer.`,
      {
        reason: 'ACCESS_TOKEN_INVALID',
        metadata: { parameter: refused },
        challenges: ['Bearer error="invalid_request"'],
      },
    );
  }
  const { caller, refusal } = await identifyCaller(request, method.scopes);
  if (caller !== undefined) return caller;
  const { reason, message, challenges } = refusal;
  if (reason === 'insufficient_scope') {
    throw insufficientScope(method.scopes, { what: method.id, challenges });
  }
  throw new EventsError('UNAUTHENTICATED', message, {
    reason: reasons[reason],
    metadata: { message },
    challenges: challenges.length > 0 ? challenges : ['Bearer'],
  });
}
