import type { Scope, Scopes } from '../../protocol/scope.ts';
import type { Client } from './client.ts';
import type { ClientMetadata } from './client-metadata.ts';

/**
 * Makes a client from its own metadata and the facts that the server adds.
 *
 * The scopes it named limit a client that the operator made and one that acts for itself. For other
 * clients they are only the default: such a client could register again with more, it asks for more when
 * a challenge tells it to, and a person decides each time. A client that acts for itself holds a scope
 * for admins only if the operator made it and named that scope.
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
  // No client holds a scope that was removed.
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
