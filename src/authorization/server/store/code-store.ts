import type { Queries } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';
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
