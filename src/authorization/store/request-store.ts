import type { Queries, Transactional } from '../../kernel/database/database.ts';
import { type Sql, sql } from '../../kernel/database/sql.ts';
import type { ClientId } from '../model/client.ts';
import type { WaitingRequest } from '../model/request.ts';
import { endDeviceCodes } from './code-store.ts';

type StoredInteraction = {
  readonly request: WaitingRequest;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** A request to keep, and who sent it, as rate limits know them. */
export type NewInteraction = StoredInteraction & { readonly caller: string };

export async function insertInteraction(
  queries: Pick<Queries, 'run'>,
  idHash: string,
  { request, createdAt, expiresAt, caller }: NewInteraction,
): Promise<void> {
  const { answer } = request;
  const deviceCodeHash = 'deviceCodeId' in answer ? answer.deviceCodeId : null;
  await queries.run(sql`
    INSERT INTO interactions (id_hash, request, created_at, expires_at, caller, device_code_hash)
    VALUES (${idHash}, ${JSON.stringify(request)}, ${createdAt}, ${expiresAt}, ${caller},
      ${deviceCodeHash})`);
}

/** How many requests stay, and the time at which the others end. */
type Bound = { readonly kept: number; readonly now: number };

/** Removes the oldest requests of a caller beyond a number: a few each time, as each request adds one. */
export async function forgetOldestOf(
  tx: Queries,
  { caller, kept, now }: Bound & { readonly caller: string },
): Promise<void> {
  await forget(
    tx,
    sql`SELECT id_hash FROM interactions WHERE caller = ${caller}
      ORDER BY created_at DESC LIMIT 10 OFFSET ${kept}`,
    now,
  );
}

/**
 * Removes some of the oldest requests beyond a number, and returns how many. Ordered by creation: a device's request
 * expires sooner than others, so by expiry it would be removed before older ones.
 */
export function pruneOldest(
  database: Pick<Transactional, 'transaction'>,
  { kept, limit, now }: Bound & { readonly limit: number },
): Promise<number> {
  return database.transaction((tx) =>
    forget(
      tx,
      sql`SELECT id_hash FROM interactions ORDER BY created_at DESC LIMIT ${limit} OFFSET ${kept}`,
      now,
    ),
  );
}

/** Removes requests and ends their device codes: nobody can allow those any more, and the next poll says so. */
async function forget(tx: Queries, selected: Sql, now: number): Promise<number> {
  const forgotten = await tx.all<{ device_code_hash: string | null }>(
    sql`DELETE FROM interactions WHERE id_hash IN (${selected}) RETURNING device_code_hash`,
  );
  const hashes = forgotten.map((row) => row.device_code_hash).filter((hash) => hash !== null);
  if (hashes.length > 0) await endDeviceCodes(tx, hashes, now);
  return forgotten.length;
}

export async function findInteraction(
  queries: Pick<Queries, 'first'>,
  idHash: string,
  now: number,
): Promise<StoredInteraction | undefined> {
  const row = await queries.first<InteractionRow>(sql`
    SELECT request, created_at, expires_at FROM interactions
    WHERE id_hash = ${idHash} AND expires_at > ${now}`);
  return row && toInteraction(row);
}

/** Removes and returns an interaction, if it still exists. Of several concurrent calls one gets it. */
export async function takeInteraction(
  queries: Pick<Queries, 'first'>,
  idHash: string,
  now: number,
): Promise<StoredInteraction | undefined> {
  const row = await queries.first<InteractionRow>(sql`
    DELETE FROM interactions WHERE id_hash = ${idHash} AND expires_at > ${now}
    RETURNING request, created_at, expires_at`);
  return row && toInteraction(row);
}

/** Removes some requests that nobody decided in time, and returns how many. */
export function pruneInteractions(
  queries: Pick<Queries, 'run'>,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM interactions WHERE id_hash IN (
      SELECT id_hash FROM interactions WHERE expires_at <= ${now} LIMIT ${limit})`);
}

type InteractionRow = { request: string; created_at: number; expires_at: number };

function toInteraction(row: InteractionRow): StoredInteraction {
  const request = JSON.parse(row.request) as WaitingRequest; // what insertInteraction wrote
  return { request, createdAt: row.created_at, expiresAt: row.expires_at };
}

type PushedRequest = {
  readonly clientId: ClientId;
  /** Form-encoded, as the client sent them. */
  readonly parameters: string;
  readonly expiresAt: number;
};

export async function insertPushedRequest(
  queries: Pick<Queries, 'run'>,
  idHash: string,
  { clientId, parameters, expiresAt }: PushedRequest,
): Promise<void> {
  await queries.run(sql`
    INSERT INTO pushed_requests (id_hash, client_id, parameters, expires_at)
    VALUES (${idHash}, ${clientId}, ${parameters}, ${expiresAt})`);
}

/** Returns and removes the parameters that a client pushed. Of several concurrent calls one gets them. */
export async function takePushedRequest(
  queries: Pick<Queries, 'first'>,
  { idHash, clientId, now }: { idHash: string; clientId: string; now: number },
): Promise<string | undefined> {
  const row = await queries.first<{ parameters: string }>(sql`
    DELETE FROM pushed_requests
    WHERE id_hash = ${idHash} AND client_id = ${clientId} AND expires_at > ${now}
    RETURNING parameters`);
  return row?.parameters;
}

/** Removes some of the oldest pushed requests beyond a number, and returns how many. All live equally long. */
export function pruneOldestPushedRequests(
  queries: Pick<Queries, 'run'>,
  { kept, limit }: { readonly kept: number; readonly limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM pushed_requests WHERE id_hash IN (
      SELECT id_hash FROM pushed_requests ORDER BY expires_at DESC LIMIT ${limit} OFFSET ${kept})`);
}

/** Removes some pushed requests that no browser came for, and returns how many. */
export function prunePushedRequests(
  queries: Pick<Queries, 'run'>,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM pushed_requests WHERE id_hash IN (
      SELECT id_hash FROM pushed_requests WHERE expires_at <= ${now} LIMIT ${limit})`);
}
