import { authorizationScopes } from '../authorization/index.ts';
import { eventsScopes } from '../events/index.ts';
import type { ScopeDeclaration } from '../kernel/scope-declaration.ts';
import { swapScopes } from '../swap/index.ts';

/** The scopes of every domain, whichever of them this process runs: another may check its tokens. */
export const scopeDeclarations: readonly ScopeDeclaration[] = [
  ...swapScopes,
  ...eventsScopes,
  ...authorizationScopes,
];
