import { allScopes, defaultScope, type Scope } from '../../protocol/scope.ts';
import type { Client } from './client.ts';
import type { ClientMetadata } from './client-metadata.ts';

/**
 * A client out of what it says of itself and what the server knows of it.
 *
 * The scope it named binds a client that the operator made and one that acts for itself. For others
 * it is merely the default: they could register again with more, they ask for more when a challenge
 * tells them to, and a person decides about each. `admin` is never for one that acts for itself.
 */
export function clientFromMetadata(
  metadata: ClientMetadata,
  facts: Pick<Client, 'clientId' | 'origin' | 'secretHash' | 'createdAt'> & { isUnused?: boolean },
): Client {
  const actsForItself = metadata.grantTypes.includes('client_credentials');
  const isAllowed = (scope: Scope) => !actsForItself || scope !== 'admin';
  const isBound = facts.origin === 'operator' || actsForItself;
  const named = metadata.scope?.filter(isAllowed);
  return {
    ...facts,
    ...metadata,
    scope: isBound && named !== undefined ? named : allScopes.filter(isAllowed),
    defaultScope: named ?? defaultScope,
  };
}
