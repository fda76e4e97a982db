import type { Database, Queries } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';
import type { Scopes } from '../../protocol/scope.ts';
import type { Client, ClientId } from '../model/client.ts';
import { clientFromMetadata } from '../model/client-from-metadata.ts';
import type { ClientMetadata } from '../model/client-metadata.ts';

export type NewClient = {
  readonly clientId: ClientId;
  readonly origin: 'registered' | 'operator';
  readonly metadata: ClientMetadata;
  readonly secretHash: string | undefined;
  readonly registrationTokenHash: string;
  readonly createdAt: number;
  /** Who registered it, as rate limits know them; undefined for the operator. */
  readonly caller: string | undefined;
  /** When it is forgotten unless it is used before. */
  readonly expiresAt: number | undefined;
};

/** A client with what proves that somebody may manage its registration. */
export type StoredClient = { readonly client: Client; readonly registrationTokenHash: string };

/** Clients that registered or that the operator made. */
export type ClientStore = {
  insert(queries: Pick<Queries, 'run'>, client: NewClient): Promise<void>;
  find(clientId: string, now: number): Promise<StoredClient | undefined>;
  /** In the order of their ids, those after one of them. */
  list(options: { after: string; limit: number; now: number }): Promise<readonly Client[]>;
  replace(clientId: ClientId, change: Pick<NewClient, 'metadata' | 'secretHash'>): Promise<void>;
  /**
   * A client that was used stays until somebody removes it. Answers whether it is there; if so, nobody
   * removes it before the transaction has ended.
   */
  keep(queries: Pick<Queries, 'run'>, clientId: ClientId): Promise<boolean>;
  /** Answers whether it was there. */
  remove(tx: Queries, clientId: ClientId): Promise<boolean>;
  /** Forgets the oldest of a caller's clients that nobody has used, beyond so many: a few each time. */
  forgetOldestOf(
    queries: Pick<Queries, 'run'>,
    bound: { readonly caller: string; readonly kept: number },
  ): Promise<void>;
  /** Some of those beyond so many that registered themselves and that no person agreed to, the oldest of all. */
  listOldest(bound: { readonly kept: number; readonly limit: number }): Promise<ClientId[]>;
  /** As `remove`, unless a person has agreed to the client by now. */
  removeUnagreed(tx: Queries, clientId: ClientId): Promise<boolean>;
  /** Forgets some clients that nobody has used in time, and answers how many. */
  prune(options: { now: number; limit: number }): Promise<number>;
};

/** RFC 6749 appendix A.1. Not every engine can be asked for other characters. */
const clientIdForm = /^[\x20-\x7e]+$/;

export function createClientStore(database: Database, scopes: Scopes): ClientStore {
  const toClient = (row: ClientRow) => readClient(row, scopes);
  return {
    async insert(queries, client) {
      await queries.run(sql`
        INSERT INTO clients (client_id, origin, metadata, secret_hash,
          registration_token_hash, created_at, expires_at, caller)
        VALUES (${client.clientId}, ${client.origin}, ${JSON.stringify(client.metadata)},
          ${client.secretHash ?? null}, ${client.registrationTokenHash}, ${client.createdAt},
          ${client.expiresAt ?? null}, ${client.caller ?? null})`);
    },
    async find(clientId, now) {
      if (!clientIdForm.test(clientId)) return undefined;
      const row = await database.first<ClientRow>(sql`
        SELECT ${clientColumns} FROM clients
        WHERE client_id = ${clientId} AND (expires_at IS NULL OR expires_at > ${now})`);
      if (row === undefined) return undefined;
      return { client: toClient(row), registrationTokenHash: row.registration_token_hash };
    },
    async list({ after, limit, now }) {
      const rows = await database.all<ClientRow>(sql`
        SELECT ${clientColumns} FROM clients
        WHERE client_id > ${after} AND (expires_at IS NULL OR expires_at > ${now})
        ORDER BY client_id LIMIT ${limit}`);
      return rows.map(toClient);
    },
    async replace(clientId, { metadata, secretHash }) {
      await database.run(sql`
        UPDATE clients
        SET metadata = ${JSON.stringify(metadata)}, secret_hash = ${secretHash ?? null}
        WHERE client_id = ${clientId}`);
    },
    async keep(queries, clientId) {
      const kept = await queries.run(
        sql`UPDATE clients SET expires_at = NULL WHERE client_id = ${clientId}`,
      );
      return kept === 1;
    },
    async remove(tx, clientId) {
      const removed = await tx.run(sql`DELETE FROM clients WHERE client_id = ${clientId}`);
      return removed === 1;
    },
    async forgetOldestOf(queries, { caller, kept }) {
      await queries.run(sql`
        DELETE FROM clients WHERE client_id IN (
          SELECT client_id FROM clients WHERE caller = ${caller} AND expires_at IS NOT NULL
          ORDER BY created_at DESC LIMIT 10 OFFSET ${kept})`);
    },
    async listOldest({ kept, limit }) {
      const rows = await database.all<{ client_id: string }>(sql`
        SELECT client_id FROM clients WHERE origin = 'registered' AND ${isUnagreed}
        ORDER BY created_at DESC LIMIT ${limit} OFFSET ${kept}`);
      return rows.map(({ client_id }) => client_id as ClientId); // as `insert` wrote it
    },
    async removeUnagreed(tx, clientId) {
      // Whoever agrees just now holds the row; the next statement sees what they wrote.
      await tx.first(sql`
        SELECT client_id FROM clients WHERE client_id = ${clientId} ${database.dialect.forUpdate}`);
      const removed = await tx.run(
        sql`DELETE FROM clients WHERE client_id = ${clientId} AND ${isUnagreed}`,
      );
      return removed === 1;
    },
    prune: ({ now, limit }) =>
      database.run(sql`
        DELETE FROM clients WHERE client_id IN (
          SELECT client_id FROM clients WHERE expires_at <= ${now} LIMIT ${limit})`),
  };
}

const isUnagreed = sql`NOT EXISTS (SELECT 1 FROM grants WHERE grants.client_id = clients.client_id)`;

const clientColumns = sql`client_id, origin, metadata, secret_hash, registration_token_hash,
  created_at, expires_at`;

type ClientRow = {
  client_id: string;
  origin: string;
  metadata: string;
  secret_hash: string | null;
  registration_token_hash: string;
  created_at: number;
  expires_at: number | null;
};

function readClient(row: ClientRow, scopes: Scopes): Client {
  const metadata = JSON.parse(row.metadata) as ClientMetadata;
  const facts = {
    // This store wrote the row from values of these types.
    clientId: row.client_id as ClientId,
    origin: row.origin as NewClient['origin'],
    secretHash: row.secret_hash ?? undefined,
    createdAt: row.created_at,
    isUnused: row.expires_at !== null,
  };
  return clientFromMetadata(metadata, facts, scopes);
}
