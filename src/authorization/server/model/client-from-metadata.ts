import type { Scope, Scopes } from '../../protocol/scope.ts';
import type { Client } from './client.ts';
import type { ClientMetadata } from './client-metadata.ts';

/**
 * A client out of what it says of itself and what the server knows of it.
 *
 * The scope it named binds a client that the operator made and one that acts for itself. For others
 * it is merely the default: they could register again with more, they ask for more when a challenge
 * tells them to, and a person decides about each. One that acts for itself holds a scope for admins only
 * where the operator made it and named that scope.
 */
export function clientFromMetadata(
  metadata: ClientMetadata,
  facts: Pick<Client, 'clientId' | 'origin' | 'secretHash' | 'createdAt'> &
    Pick<Client, 'isUnused' | 'lastUsedAt'>,
  scopes: Scopes,
): Client {
  const actsForItself = metadata.grantTypes.includes('client_credentials');
  const isByOperator = facts.origin === 'operator';
  const isAllowed = (scope: Scope) => !actsForItself || !scopes.isForAdmins(scope);
  // A scope that was removed is no longer anybody's.
  const named = metadata.scope?.filter(
    (one) => scopes.has(one) && (isByOperator || isAllowed(one)),
  );
  const isBound = isByOperator || actsForItself;
  return {
    ...facts,
    ...metadata,
    scope: isBound && named !== undefined ? named : scopes.names().filter(isAllowed),
    defaultScope: named !== undefined && (isBound || named.length > 0) ? named : scopes.defaults(),
  };
}
