import type { Scopes } from '../../protocol/scope.ts';
import type { Client, ClientId } from '../model/client.ts';

/** A client that is part of this server, so that nobody has to register or check it: always a public one. */
export type BuiltInClient = Pick<
  Client,
  'name' | 'redirectUris' | 'grantTypes' | 'requiresDpop' | 'applicationType' | 'isOwnPage'
> & {
  readonly clientId: string;
  /** If it names no scope, it gets every scope that its person may allow. */
  readonly wantsAll: boolean;
};

export type BuiltInClients = { find(clientId: string): Client | undefined };

/** The built-in clients; each may ask for every scope of this server, and for none of others. */
export function createBuiltInClients(
  given: readonly BuiltInClient[],
  scopes: Scopes,
): BuiltInClients {
  const known = new Map(given.map((one) => [one.clientId, one]));
  return {
    find(clientId) {
      const found = known.get(clientId);
      if (found === undefined) return undefined;
      const { wantsAll, ...client } = found;
      return {
        ...client,
        clientId: clientId as ClientId, // declared in the program, not given by anybody
        origin: 'built-in',
        uri: undefined,
        authentication: 'none',
        secretHash: undefined,
        jwks: undefined,
        jwksUri: undefined,
        scope: scopes.ownNames(),
        defaultScope: wantsAll ? scopes.ownNames() : scopes.defaults(),
        createdAt: 0,
      };
    },
  };
}
