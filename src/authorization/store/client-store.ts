import type { Queries, Transactional } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import {
  type Client,
  type ClientId,
  type ClientMetadata,
  clientFromMetadata,
} from '../model/client.ts';
import type { Scopes } from '../protocol/scope.ts';

type NewClient = {
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

/** RFC 6749 appendix A.1. Not every engine can be asked for other characters. */
const clientIdForm = /^[\x20-\x7e]+$/;

export async function insertClient(
  queries: Pick<Queries, 'run'>,
  client: NewClient,
): Promise<void> {
  await queries.run(sql`
    INSERT INTO clients (client_id, origin, metadata, secret_hash,
      registration_token_hash, created_at, expires_at, caller)
    VALUES (${client.clientId}, ${client.origin}, ${JSON.stringify(client.metadata)},
      ${client.secretHash ?? null}, ${client.registrationTokenHash}, ${client.createdAt},
      ${client.expiresAt ?? null}, ${client.caller ?? null})`);
}

export async function findStoredClient(
  queries: Queries,
  clientId: string,
  { now, scopes }: { readonly now: number; readonly scopes: Scopes },
): Promise<StoredClient | undefined> {
  if (!clientIdForm.test(clientId)) return undefined;
  const row = await queries.first<ClientRow>(sql`
    SELECT ${clientColumns} FROM clients
    WHERE client_id = ${clientId} AND (expires_at IS NULL OR expires_at > ${now})`);
  if (row === undefined) return undefined;
  return { client: readClient(row, scopes), registrationTokenHash: row.registration_token_hash };
}

/** The clients after an id, in the order of their ids. */
export async function listClients(
  queries: Queries,
  { after, limit, now, scopes }: { after: string; limit: number; now: number; scopes: Scopes },
): Promise<readonly Client[]> {
  const rows = await queries.all<ClientRow>(sql`
    SELECT ${clientColumns} FROM clients
    WHERE client_id > ${after} AND (expires_at IS NULL OR expires_at > ${now})
    ORDER BY client_id LIMIT ${limit}`);
  return rows.map((row) => readClient(row, scopes));
}

export async function replaceClient(
  queries: Queries,
  clientId: ClientId,
  { metadata, secretHash }: Pick<NewClient, 'metadata' | 'secretHash'>,
): Promise<void> {
  await queries.run(sql`
    UPDATE clients
    SET metadata = ${JSON.stringify(metadata)}, secret_hash = ${secretHash ?? null}
    WHERE client_id = ${clientId}`);
}

/**
 * Keeps a used client until somebody removes it. Returns whether it exists; if so, nobody can remove it before the
 * transaction ends.
 */
export async function keepClient(
  queries: Pick<Queries, 'run'>,
  clientId: ClientId,
): Promise<boolean> {
  const kept = await queries.run(
    sql`UPDATE clients SET expires_at = NULL WHERE client_id = ${clientId}`,
  );
  return kept === 1;
}

/** Writes when clients were last used, in one commit. In the order of ids, so that concurrent processes never deadlock. */
export async function writeClientUses(
  database: Pick<Transactional, 'transaction'>,
  uses: ReadonlyMap<ClientId, number>,
): Promise<void> {
  const sorted = [...uses].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await database.transaction(async (tx) => {
    for (const [clientId, at] of sorted) {
      await tx.run(sql`
        UPDATE clients SET last_used_at = ${at}
        WHERE client_id = ${clientId} AND (last_used_at IS NULL OR last_used_at < ${at})`);
    }
  });
}

/** Returns whether it was there. */
export async function removeClient(tx: Queries, clientId: ClientId): Promise<boolean> {
  const removed = await tx.run(sql`DELETE FROM clients WHERE client_id = ${clientId}`);
  return removed === 1;
}

/** Removes the oldest of a caller's unused clients beyond a number, a few each time. */
export async function forgetOldestClients(
  queries: Pick<Queries, 'run'>,
  { caller, kept }: { readonly caller: string; readonly kept: number },
): Promise<void> {
  await queries.run(sql`
    DELETE FROM clients WHERE client_id IN (
      SELECT client_id FROM clients WHERE caller = ${caller} AND expires_at IS NOT NULL
      ORDER BY created_at DESC LIMIT 10 OFFSET ${kept})`);
}

/**
 * Some of the oldest clients, beyond a number, that registered themselves and that no person has allowed anything.
 */
export async function listOldestClients(
  queries: Queries,
  { kept, limit }: { readonly kept: number; readonly limit: number },
): Promise<ClientId[]> {
  const rows = await queries.all<{ client_id: string }>(sql`
    SELECT client_id FROM clients WHERE origin = 'registered' AND ${isUnagreed}
    ORDER BY created_at DESC LIMIT ${limit} OFFSET ${kept}`);
  return rows.map(({ client_id }) => client_id as ClientId); // as `insert` wrote it
}

/** How many clients registered themselves, whether or not a person has allowed them anything. */
export async function countRegisteredClients(queries: Queries): Promise<number> {
  const row = await queries.first<{ count: number }>(
    sql`SELECT COUNT(*) AS count FROM clients WHERE origin = 'registered'`,
  );
  return row?.count ?? 0;
}

/** As `removeClient`, unless a person has agreed to the client by now. */
export async function removeUnagreedClient(tx: Queries, clientId: ClientId): Promise<boolean> {
  // A consent in progress holds the row; the next statement sees what it wrote.
  await tx.first(sql`
    SELECT client_id FROM clients WHERE client_id = ${clientId} ${tx.dialect.forUpdate}`);
  const removed = await tx.run(
    sql`DELETE FROM clients WHERE client_id = ${clientId} AND ${isUnagreed}`,
  );
  return removed === 1;
}

/** Removes some clients that nobody has used in time, and returns how many. */
export function pruneClients(
  queries: Queries,
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM clients WHERE client_id IN (
      SELECT client_id FROM clients WHERE expires_at <= ${now} LIMIT ${limit})`);
}

const isUnagreed = sql`NOT EXISTS (SELECT 1 FROM grants WHERE grants.client_id = clients.client_id)`;

const clientColumns = sql`client_id, origin, metadata, secret_hash, registration_token_hash,
  created_at, expires_at, last_used_at`;

type ClientRow = {
  client_id: string;
  origin: string;
  metadata: string;
  secret_hash: string | null;
  registration_token_hash: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
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
    lastUsedAt: row.last_used_at ?? undefined,
  };
  return clientFromMetadata(metadata, facts, scopes);
}
