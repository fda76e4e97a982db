import type { ScopeDeclaration } from '../kernel/scope-declaration.ts';

/** Full control of the server. */
export const adminScope = 'admin';

export const authorizationScopes: readonly ScopeDeclaration[] = [
  {
    name: adminScope,
    description: 'Manage clients, accounts and applications of this server',
    holders: 'admins',
  },
];
