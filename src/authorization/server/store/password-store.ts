import type { Database, Queries, Transaction } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';
import type { AccountId } from '../model/account.ts';
import { type PasswordLink, removeLinks, takeLink } from './password-link-store.ts';
import { endSessionsOf } from './session-store.ts';

/**
 * Sets the password of an account and ends all other access to it: the person is signed out everywhere, and
 * links for choosing a password no longer work (T3). Returns whether the account existed.
 */
export async function setPassword(
  tx: Transaction,
  { id, passwordHash }: { readonly id: AccountId; readonly passwordHash: string },
): Promise<boolean> {
  const isSet = await tx.run(
    sql`UPDATE accounts SET password_hash = ${passwordHash} WHERE account_id = ${id}`,
  );
  await removeLinks(tx, id);
  await endSessionsOf(tx, id);
  return isSet === 1;
}

/**
 * Spends a link and sets the password. Of several concurrent calls one succeeds (R8) and returns whose password
 * it was.
 */
export async function spendLink(
  tx: Transaction,
  spent: Pick<PasswordLink, 'secretHash' | 'purpose'> & {
    readonly passwordHash: string;
    readonly now: number;
  },
): Promise<AccountId | undefined> {
  const id = await takeLink(tx, spent);
  if (id === undefined) return undefined;
  const { passwordHash } = spent;
  return (await setPassword(tx, { id, passwordHash })) ? id : undefined;
}

export async function addSetUpSecret(
  queries: Queries,
  secretHash: string,
  expiresAt: number,
): Promise<void> {
  await queries.run(sql`
    INSERT INTO set_up_secrets (secret_hash, expires_at) VALUES (${secretHash}, ${expiresAt})`);
}

/** Whether the first password of the owner's account can be set by this secret. */
export async function hasSetUpSecret(
  queries: Queries,
  { id, secretHash, now }: { id: AccountId; secretHash: string; now: number },
): Promise<boolean> {
  const row = await queries.first(sql`
    SELECT secret_hash FROM set_up_secrets
    WHERE secret_hash = ${secretHash} AND expires_at > ${now} AND EXISTS (
      SELECT 1 FROM accounts WHERE account_id = ${id} AND password_hash IS NULL)`);
  return row !== undefined;
}

/**
 * Sets the owner's first password by a set-up secret and forgets all such secrets: of several tries at once one
 * succeeds. Returns whether this one did.
 */
export function setUpOwner(
  database: Database,
  setUp: { id: AccountId; secretHash: string; passwordHash: string; now: number },
): Promise<boolean> {
  const { id, secretHash, passwordHash, now } = setUp;
  return database.transaction(async (tx) => {
    const spent = await tx.run(sql`
      DELETE FROM set_up_secrets WHERE secret_hash = ${secretHash} AND expires_at > ${now}`);
    if (spent === 0) return false;
    const owner = await tx.first(sql`
      SELECT account_id FROM accounts WHERE account_id = ${id} AND password_hash IS NULL
      ${tx.dialect.forUpdate}`);
    await tx.run(sql`DELETE FROM set_up_secrets`);
    return owner !== undefined && setPassword(tx, { id, passwordHash });
  });
}
