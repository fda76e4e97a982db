import type { Queries } from '../../kernel/database/database.ts';
import { sql, sqlList } from '../../kernel/database/sql.ts';
import type { ClientId } from '../model/client.ts';
import type { CodeBinding, GrantId } from '../model/grant.ts';
import { type GrantRow, grantColumns, type StoredGrant, toGrant } from './grant-store.ts';

/** A code that was given out, with its grant. */
export type StoredCode = {
  readonly grant: StoredGrant;
  readonly binding: CodeBinding;
  readonly expiresAt: number;
  readonly isSpent: boolean;
};

export async function insertCode(
  tx: Queries,
  code: { hash: string; grantId: GrantId; binding: CodeBinding; expiresAt: number },
): Promise<void> {
  const { hash, grantId, binding, expiresAt } = code;
  await tx.run(sql`
    INSERT INTO authorization_codes (hash, grant_id, redirect_uri, code_challenge, dpop_thumbprint,
      expires_at)
    VALUES (${hash}, ${grantId}, ${binding.redirectUri}, ${binding.codeChallenge},
      ${binding.dpopThumbprint ?? null}, ${expiresAt})`);
}

export async function findCode(queries: Queries, hash: string): Promise<StoredCode | undefined> {
  const row = await queries.first<CodeRow>(sql`
    SELECT ${grantColumns}, redirect_uri, code_challenge,
      authorization_codes.dpop_thumbprint AS code_dpop_thumbprint,
      authorization_codes.expires_at AS code_expires_at, spent_at
    FROM authorization_codes JOIN grants ON grants.id = grant_id WHERE hash = ${hash}`);
  return (
    row && {
      grant: toGrant(row),
      binding: {
        redirectUri: row.redirect_uri,
        codeChallenge: row.code_challenge,
        dpopThumbprint: row.code_dpop_thumbprint ?? undefined,
      },
      expiresAt: row.code_expires_at,
      isSpent: row.spent_at !== null,
    }
  );
}

/** Spends a code. Of several that try, one succeeds (R8). */
export async function spendCode(tx: Queries, hash: string, now: number): Promise<boolean> {
  const spent = await tx.run(sql`
    UPDATE authorization_codes SET spent_at = ${now} WHERE hash = ${hash} AND spent_at IS NULL`);
  return spent === 1;
}

type CodeRow = GrantRow & {
  redirect_uri: string;
  code_challenge: string;
  code_dpop_thumbprint: string | null;
  code_expires_at: number;
  spent_at: number | null;
};

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

/** Uses up an id that works once. Returns whether this was the first use, over all processes (R8). */
export async function spendId(queries: Queries, id: string, expiresAt: number): Promise<boolean> {
  const spent = await queries.run(sql`
    INSERT INTO spent_ids (id, expires_at) VALUES (${id}, ${expiresAt})
    ON CONFLICT (id) DO NOTHING`);
  return spent === 1;
}

export async function countSpentIds(queries: Queries): Promise<number> {
  const row = await queries.first<{ n: number }>(sql`SELECT COUNT(*) AS n FROM spent_ids`);
  return row?.n ?? 0;
}
