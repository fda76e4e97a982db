import type { Queries } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';
import type { ClientId } from '../model/client.ts';

export type PushedRequest = {
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
