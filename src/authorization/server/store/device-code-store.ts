import type { Queries } from '../../../kernel/database/database.ts';
import { sql, sqlList } from '../../../kernel/database/sql.ts';
import type { ClientId } from '../model/client.ts';
import type { GrantId } from '../model/grant.ts';

export type StoredDeviceCode = {
  readonly hash: string;
  readonly clientId: string;
  /** Set once a person has allowed it. */
  readonly grantId: GrantId | undefined;
  readonly isDenied: boolean;
  readonly isSpent: boolean;
  readonly expiresAt: number;
  readonly intervalSeconds: number;
  readonly polledAt: number | undefined;
};

export async function insertDeviceCode(
  tx: Queries,
  code: { hash: string; clientId: ClientId; expiresAt: number; intervalSeconds: number },
): Promise<void> {
  const { hash, clientId, expiresAt, intervalSeconds } = code;
  await tx.run(sql`
    INSERT INTO device_codes (hash, client_id, is_denied, expires_at, interval_seconds)
    VALUES (${hash}, ${clientId}, 0, ${expiresAt}, ${intervalSeconds})`);
}

export async function findDeviceCode(
  queries: Queries,
  hash: string,
): Promise<StoredDeviceCode | undefined> {
  const row = await queries.first<DeviceCodeRow>(sql`
    SELECT hash, client_id, grant_id, is_denied, expires_at, interval_seconds, polled_at, spent_at
    FROM device_codes WHERE hash = ${hash}`);
  return (
    row && {
      hash,
      clientId: row.client_id,
      grantId: (row.grant_id as GrantId | null) ?? undefined, // written by allowDeviceCode alone
      isDenied: row.is_denied === 1,
      isSpent: row.spent_at !== null,
      expiresAt: row.expires_at,
      intervalSeconds: row.interval_seconds,
      polledAt: row.polled_at ?? undefined,
    }
  );
}

export async function notePoll(
  queries: Queries,
  { hash, now, intervalSeconds }: { hash: string; now: number; intervalSeconds: number },
): Promise<void> {
  await queries.run(sql`
    UPDATE device_codes SET polled_at = ${now}, interval_seconds = ${intervalSeconds}
    WHERE hash = ${hash}`);
}

export async function allowDeviceCode(tx: Queries, hash: string, grantId: GrantId): Promise<void> {
  await tx.run(sql`UPDATE device_codes SET grant_id = ${grantId} WHERE hash = ${hash}`);
}

export async function denyDeviceCode(tx: Queries, hash: string): Promise<void> {
  await tx.run(sql`UPDATE device_codes SET is_denied = 1 WHERE hash = ${hash}`);
}

/** Ends device codes on which nobody can decide any more. */
export async function endDeviceCodes(
  tx: Queries,
  hashes: readonly string[],
  now: number,
): Promise<void> {
  await tx.run(sql`
    UPDATE device_codes SET expires_at = ${now} WHERE hash IN ${sqlList(hashes)}`);
}

/** Spends an allowed code. Of several that try, one succeeds (R8). */
export async function spendDeviceCode(tx: Queries, hash: string, now: number): Promise<boolean> {
  const spent = await tx.run(sql`
    UPDATE device_codes SET spent_at = ${now} WHERE hash = ${hash} AND spent_at IS NULL`);
  return spent === 1;
}

type DeviceCodeRow = {
  client_id: string;
  grant_id: string | null;
  is_denied: number;
  expires_at: number;
  interval_seconds: number;
  polled_at: number | null;
  spent_at: number | null;
};
