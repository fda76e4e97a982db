import { authorizationScopes } from '../../authorization/index.ts';
import { eventsScopes } from '../../events/index.ts';
import type { ScopeDeclaration } from '../../kernel/scope-declaration.ts';
import { swapScopes } from '../../swap/index.ts';

/**
 * The scopes of every domain, even of those that this process does not run: another process may
 * check its tokens.
 */
export const scopeDeclarations: readonly ScopeDeclaration[] = [
  ...swapScopes,
  ...eventsScopes,
  ...authorizationScopes,
];
