import { scopeDeclarations } from '../../src/app/describe-strangers.ts';
import { createScopes } from '../../src/authorization/protocol/scope.ts';

/** The scopes of a whole server. */
export const testScopes = createScopes(scopeDeclarations);
