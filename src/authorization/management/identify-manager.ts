import { StatusError } from '../../kernel/edge/status-error.ts';
import type { Guard, Refusal } from '../guard/principal.ts';
import { accountScope, adminScope } from '../scopes.ts';

/** Who manages: an admin, or a person who looks after their own. */
export type Manager = {
  /** The name for rate limits and for the log. */
  readonly subject: string;
  /** The person that the token speaks for; none for a client that acts for itself. */
  readonly personId: string | undefined;
  /** The client that the token was issued to; none for the operator. */
  readonly clientId: string | undefined;
  readonly isAdmin: boolean;
  /** Whether the person allowed to manage their account, or it is an admin. */
  readonly mayManage: boolean;
  /** Whether it is the operator of this machine, who is above every role. */
  readonly isOperator: boolean;
};

const operator: Manager = {
  subject: 'operator',
  personId: undefined,
  clientId: undefined,
  isAdmin: true,
  mayManage: true,
  isOperator: true,
};

const reasons = {
  missing: 'CREDENTIALS_MISSING',
  expired: 'ACCESS_TOKEN_EXPIRED',
  invalid: 'ACCESS_TOKEN_INVALID',
  insufficient_scope: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
} as const;

/**
 * Identifies the caller by the operator's credential or an access token. Throws `UNAUTHENTICATED`,
 * and `PERMISSION_DENIED` for a token without one of the scopes.
 */
export function createManagerIdentity(options: {
  readonly guard: Pick<Guard, 'check'>;
  readonly isOperatorCredential: (request: Request) => boolean;
}) {
  const { guard, isOperatorCredential } = options;
  return async (request: Request, scope: readonly string[]): Promise<Manager> => {
    if (isOperatorCredential(request)) return operator;
    const { principal, refusal } = await guard.check(request, { scope, isAnyEnough: true });
    if (principal === undefined) throw refused(refusal);
    const isAdmin = principal.scope.includes(adminScope);
    if (!isAdmin && !principal.isPerson) throw noPerson();
    const personId = principal.isPerson ? principal.subject : undefined;
    const { subject, clientId } = principal;
    const mayManage = isAdmin || principal.scope.includes(accountScope);
    return { subject, personId, clientId, isAdmin, mayManage, isOperator: false };
  };
}

function refused({ reason, message, challenges }: Refusal): StatusError {
  const status = reason === 'insufficient_scope' ? 'PERMISSION_DENIED' : 'UNAUTHENTICATED';
  return new StatusError(status, message, {
    reason: reasons[reason],
    metadata: { message },
    challenges,
  });
}

function noPerson(): StatusError {
  return new StatusError(
    'PERMISSION_DENIED',
    'A client that acts for itself has no sessions and grants of its own: ask with the scope admin.',
    { reason: reasons.insufficient_scope },
  );
}
