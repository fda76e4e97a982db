import type { Database, Queries } from '../../../kernel/database/database.ts';
import type { OutboundHttp } from '../../../kernel/outbound-http/create-outbound-http.ts';
import type { Clock } from '../../../kernel/time/clock.ts';
import type { Scopes } from '../../protocol/scope.ts';
import type { ClientId, FindClient } from '../model/client.ts';
import { findStoredClient, keepClient } from '../store/client-store.ts';
import { type BuiltInClient, createBuiltInClients } from './built-in-clients.ts';
import { createClientDocuments } from './create-client-documents.ts';
import { createFindClient } from './create-find-client.ts';
import { type RememberedClients, rememberClients } from './remember-clients.ts';

/** The clients that this server knows, wherever they come from. */
export type Clients = {
  readonly find: FindClient;
  readonly remembered: RememberedClients;
  /**
   * Whether a client exists. A registered client no longer expires from now on, and nobody can remove it before the
   * transaction ends.
   */
  keep(queries: Queries, clientId: ClientId): Promise<boolean>;
};

/** Joins clients that are built in, registered, or described by a document behind their id. */
export function openClients(options: {
  readonly database: Database;
  readonly builtInClients?: readonly BuiltInClient[];
  readonly outbound: OutboundHttp;
  readonly scopes: Scopes;
  /** `false` if only the operator makes clients: then no document makes one either. */
  readonly acceptsDocuments: boolean;
  readonly clock: Clock;
}): Clients {
  const { database, outbound, scopes, clock } = options;
  const builtIn = createBuiltInClients(options.builtInClients ?? [], scopes);
  const remembered = rememberClients((clientId, now) =>
    findStoredClient(database, clientId, { now, scopes }),
  );
  return {
    remembered,
    find: createFindClient({
      builtIn,
      remembered,
      documents: options.acceptsDocuments
        ? createClientDocuments({ outbound, scopes, clock })
        : undefined,
      clock,
    }),
    keep: async (queries, clientId) =>
      builtIn.find(clientId) !== undefined || keepClient(queries, clientId),
  };
}
