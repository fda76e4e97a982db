import type { ScopeDeclaration } from '../kernel/edge/operation.ts';

/** Full control of the server. */
export const adminScope = 'admin';

/** A person's own sessions and grants (N20). */
export const accountScope = 'account.manage';

export const authorizationScopes: readonly ScopeDeclaration[] = [
  {
    name: accountScope,
    description:
      'See and end your sessions, and see and revoke what you have allowed other programs',
    holders: 'anyone',
  },
  {
    name: adminScope,
    description: 'Manage clients, accounts and applications of this server',
    holders: 'admins',
  },
];
