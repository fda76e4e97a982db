import { scopeDeclarations } from '../../src/app/access/scope-declarations.ts';
import { createScopes } from '../../src/authorization/protocol/scope.ts';

/** The scopes of a whole server. */
export const testScopes = createScopes(scopeDeclarations);
