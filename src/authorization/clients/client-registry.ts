import { hashSecret } from '../../kernel/crypto/hash.ts';
import type { Database } from '../../kernel/database/database.ts';
import { drawHex, drawText, type Random } from '../../kernel/model/random.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { rememberAnswer } from '../../kernel/wait/remembered.ts';
import { writeOutbox } from '../../kernel/work/outbox.ts';
import { AuthorizationError } from '../authorization-error.ts';
import type { Grants } from '../grants/grants.ts';
import { authorizationLimits } from '../limits.ts';
import {
  type Client,
  type ClientId,
  type ClientMetadata,
  clientFromMetadata,
  hasSecret,
} from '../model/client.ts';
import type { Scopes } from '../protocol/scope.ts';
import {
  countRegisteredClients,
  forgetOldestClients,
  insertClient,
  removeClient,
  removeUnagreedClient,
  replaceClient,
} from '../store/client-store.ts';
import type { RememberedClients } from './clients.ts';
import { parseClientMetadata } from './parse-client-metadata.ts';

/** What only the registering client gets, and only once: the store keeps hashes of it. */
export type Registration = {
  readonly client: Client;
  readonly clientSecret: string | undefined;
  readonly registrationToken: string;
};

/** Makes, changes and removes clients. Does not check the caller's rights. */
export type ClientRegistry = {
  /**
   * Throws `invalid_redirect_uri` and `invalid_client_metadata`, and `temporarily_unavailable` if the bound on
   * self-registered clients is reached.
   */
  register(input: unknown, by: Registrant): Promise<Registration>;
  /**
   * Replaces all metadata of a client, and makes a secret if it now needs one. A client that the operator made
   * cannot give itself more than it has. Access tokens with a scope that the client loses are refused from then on
   * (F50). Throws as `register` for invalid metadata.
   */
  update(
    client: Client,
    change: { readonly input: unknown; readonly by: 'operator' | 'itself' },
  ): Promise<Pick<Registration, 'client' | 'clientSecret'>>;
  /** Forgets a client and revokes all that it holds. */
  remove(clientId: ClientId): Promise<void>;
  /** Does the same, unless a person has agreed to the client. */
  removeUnagreed(clientId: ClientId): Promise<void>;
};

/** Who registers a client: the operator, or a caller as rate limits identify it. */
type Registrant =
  | { readonly origin: 'operator' }
  | { readonly origin: 'registered'; readonly caller: string };

/** The most unused clients of one caller (N5). */
const mostOfCaller = authorizationLimits.clientsOfCaller.value;
const largestMetadata = authorizationLimits.clientMetadata.value;

type ClientRegistryOptions = {
  readonly database: Database;
  readonly remembered: Pick<RememberedClients, 'forgetAfter'>;
  readonly scopes: Scopes;
  readonly grants: Pick<Grants, 'revokeClient' | 'narrowClient'>;
  readonly clock: Clock;
  readonly random: Random;
  /** How long, in milliseconds, a client that registered itself waits for its first use. */
  readonly unusedLifetime: number;
  readonly mostRegistered?: number;
};

export function createClientRegistry(options: ClientRegistryOptions): ClientRegistry {
  const { database, remembered, scopes, grants, clock, random, unusedLifetime } = options;
  const newSecret = () => drawText(random, 32);
  const requireRoom = createRequireRoom(options);

  return {
    async register(input, registrant) {
      const { origin } = registrant;
      const caller = registrant.origin === 'operator' ? undefined : registrant.caller;
      const metadata = readMetadata(input, scopes);
      if (caller !== undefined) await requireRoom();
      const clientSecret = hasSecret(metadata.authentication) ? newSecret() : undefined;
      const registrationToken = newSecret();
      const createdAt = clock.now();
      const facts = {
        clientId: drawHex(random, 16) as ClientId, // made here and nowhere else
        origin,
        secretHash: clientSecret === undefined ? undefined : hashSecret(clientSecret),
        createdAt,
      };
      await database.transaction(async (tx) => {
        await insertClient(tx, {
          ...facts,
          metadata,
          registrationTokenHash: hashSecret(registrationToken),
          caller,
          expiresAt: origin === 'operator' ? undefined : createdAt + unusedLifetime,
        });
        if (caller !== undefined) {
          await forgetOldestClients(tx, { caller, kept: mostOfCaller });
        }
        await writeOutbox(tx, {
          topic: 'authorization.client-registered',
          key: facts.clientId,
          payload: { clientId: facts.clientId, at: createdAt },
          occurredAt: createdAt,
        });
      });
      return {
        client: clientFromMetadata(metadata, facts, scopes),
        clientSecret,
        registrationToken,
      };
    },
    async update(client, { input, by }) {
      const metadata = readMetadata(input, scopes);
      const needsSecret = hasSecret(metadata.authentication);
      const clientSecret = needsSecret && client.secretHash === undefined ? newSecret() : undefined;
      const secretHash = needsSecret
        ? clientSecret === undefined
          ? client.secretHash
          : hashSecret(clientSecret)
        : undefined;
      const updated = clientFromMetadata(metadata, { ...client, secretHash }, scopes);
      if (by === 'itself' && client.origin === 'operator') refuseMore(client, updated);
      const { clientId } = client;
      const stillHeld = updated.scope;
      const lost = client.scope.filter((scope) => !stillHeld.includes(scope));
      const losesItself = actsForItself(client) && !actsForItself(updated);
      const narrowed = { lost, stillHeld, losesItself };
      const replaced = grants.narrowClient(clientId, narrowed, (tx) =>
        replaceClient(tx, clientId, { metadata, secretHash }),
      );
      await remembered.forgetAfter(clientId, replaced);
      return { client: updated, clientSecret };
    },
    remove: (clientId) =>
      remembered.forgetAfter(
        clientId,
        grants.revokeClient(clientId, (tx) => removeClient(tx, clientId)),
      ),
    removeUnagreed: (clientId) =>
      remembered.forgetAfter(
        clientId,
        grants.revokeClient(clientId, (tx) => removeUnagreedClient(tx, clientId)),
      ),
  };
}

/** Parses metadata and limits their size, as there may be many clients. Throws as `register`. */
function readMetadata(input: unknown, scopes: Scopes): ClientMetadata {
  const metadata = parseClientMetadata(input, { scopes });
  const size = Buffer.byteLength(JSON.stringify(metadata));
  if (size <= largestMetadata) return metadata;
  throw new AuthorizationError(
    'invalid_client_metadata',
    `The metadata of the client take ${size} bytes and may take ${largestMetadata}: send fewer redirect_uris, or jwks_uri in place of jwks.`,
  );
}

function actsForItself({ grantTypes }: Client): boolean {
  return grantTypes.includes('client_credentials');
}

/** Refuses scopes and grant types that the operator did not give the client. */
function refuseMore(client: Client, updated: Client): void {
  const more = [
    ...updated.scope.filter((scope) => !client.scope.includes(scope)),
    ...updated.grantTypes.filter((grantType) => !client.grantTypes.includes(grantType)),
  ];
  if (more.length === 0) return;
  throw new AuthorizationError(
    'invalid_client_metadata',
    `The operator did not give this client ${more.join(', ')}: leave that out of its scope and grant_types, or ask the operator.`,
  );
}

/** Clients are counted at most once in this many milliseconds, since counting a million takes a while. */
const countLasts = 60_000;

/**
 * Throws `temporarily_unavailable` if the bound on self-registered clients, used or not, is reached (N5). A count is
 * used for a minute, so registrations within it can exceed the bound a little.
 */
function createRequireRoom(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly mostRegistered?: number;
}): () => Promise<void> {
  const { database, clock } = options;
  const { mostRegistered: most = authorizationLimits.registeredClients.value } = options;
  const counted = rememberAnswer({
    keptFor: countLasts,
    clock,
    ask: () => countRegisteredClients(database),
  });
  return async () => {
    if ((await counted.get()) < most) return;
    throw new AuthorizationError(
      'temporarily_unavailable',
      `${most} clients have registered themselves here, which is the limit: ask the operator of the server to make a client for you, or to remove unused ones.`,
    );
  };
}
