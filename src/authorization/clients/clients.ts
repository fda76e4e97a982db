import type { Database, Queries } from '../../kernel/database/database.ts';
import type { OutboundHttp } from '../../kernel/outbound/outbound-http.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { createBoundedMap } from '../../kernel/wait/remembered.ts';
import { authorizationLimits } from '../limits.ts';
import type { Client, ClientId, FindClient } from '../model/client.ts';
import type { Scopes } from '../protocol/scope.ts';
import { findStoredClient, keepClient, type StoredClient } from '../store/client-store.ts';
import {
  type ClientDocuments,
  createClientDocuments,
  isClientDocumentUrl,
} from './client-documents.ts';

/** The clients that this server knows, wherever they come from. */
type Clients = {
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

/** Finds clients among those built in, in the store or, where documents are accepted, behind the address that is their id. */
function createFindClient(options: {
  readonly builtIn: BuiltInClients;
  readonly remembered: Pick<RememberedClients, 'recall'>;
  readonly documents: ClientDocuments | undefined;
  readonly clock: Clock;
}): FindClient {
  const { builtIn, remembered, documents, clock } = options;
  return async (clientId) => {
    if (documents !== undefined && isClientDocumentUrl(clientId)) return documents.find(clientId);
    return builtIn.find(clientId) ?? (await remembered.recall(clientId, clock.now()))?.client;
  };
}

/** What another process changes is known within the second that revocation may take (R4). */
const longestMemory = 900;
/** More clients than call within a second, and 2 MB if each has the largest size. A forgotten client is read again. */
const clientsKept = authorizationLimits.clientsKept.value;

/** A short-lived cache of clients in the store. */
export type RememberedClients = {
  /**
   * The client as stored: at most a second behind changes by other processes, never behind changes by this one. Every
   * request at the token endpoint looks up a client; reading and parsing it each time would cost a tenth more.
   */
  recall: FindStored;
  /** Forgets a client as soon as a change of it has ended, however it ended. */
  forgetAfter<T>(clientId: ClientId, change: Promise<T>): Promise<T>;
};

/** Reads a client from the store. */
type FindStored = (clientId: string, now: number) => Promise<StoredClient | undefined>;

type Remembered = { readonly stored: StoredClient; readonly readAt: number };

/** Caches clients that were used, but not those whose registration may still expire. */
export function rememberClients(find: FindStored): RememberedClients {
  const known = createBoundedMap<string, Remembered>(clientsKept);
  let changes = 0;

  return {
    async recall(clientId, now) {
      const before = known.get(clientId);
      const age = before === undefined ? longestMemory : now - before.readAt;
      // A negative age, after the clock was set back, does not count as fresh.
      if (before !== undefined && age >= 0 && age < longestMemory) return before.stored;
      const changesBefore = changes;
      const stored = await find(clientId, now);
      known.delete(clientId);
      // A read during a change may have returned the old client, so it is not cached.
      if (stored === undefined || stored.client.isUnused || changes !== changesBefore)
        return stored;
      known.set(clientId, { stored, readAt: now });
      return stored;
    },
    async forgetAfter(clientId, change) {
      try {
        return await change;
      } finally {
        known.delete(clientId);
        changes += 1;
      }
    },
  };
}

/** A client that is part of this server, so that nobody has to register or check it: always a public one. */
export type BuiltInClient = Pick<
  Client,
  'name' | 'redirectUris' | 'grantTypes' | 'requiresDpop' | 'applicationType' | 'isOwnPage'
> & {
  readonly clientId: string;
  /** If it names no scope, it gets every scope that its person may allow. */
  readonly wantsAll: boolean;
};

type BuiltInClients = { find(clientId: string): Client | undefined };

/** The built-in clients; each may ask for every scope of this server, and for none of others. */
function createBuiltInClients(given: readonly BuiltInClient[], scopes: Scopes): BuiltInClients {
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
