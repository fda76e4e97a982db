import type { Queries, Transaction } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';
import type { Account, AccountId } from '../model/account.ts';
import { type AccountRow, toAccount } from './account-store.ts';

/** Why somebody chooses a password by a link: they are new here, or an admin lets them choose another. */
export type LinkPurpose = 'invite' | 'reset';

/** A link as it is stored: of its secret the hash alone (R7). */
export type PasswordLink = {
  readonly secretHash: string;
  readonly accountId: AccountId;
  readonly purpose: LinkPurpose;
  readonly expiresAt: number;
};

/** Stores a link in the place of every other one of the account. */
export async function replaceLink(tx: Transaction, link: PasswordLink): Promise<void> {
  const { secretHash, accountId, purpose, expiresAt } = link;
  await removeLinks(tx, accountId);
  await tx.run(sql`
    INSERT INTO password_links (secret_hash, account_id, purpose, expires_at)
    VALUES (${secretHash}, ${accountId}, ${purpose}, ${expiresAt})`);
}

/** Whose password a link sets, as long as it works. */
export async function findLink(
  queries: Queries,
  link: Pick<PasswordLink, 'secretHash' | 'purpose'> & { readonly now: number },
): Promise<Account | undefined> {
  const { secretHash, purpose, now } = link;
  const row = await queries.first<AccountRow>(sql`
    SELECT accounts.account_id, name, role FROM password_links
    JOIN accounts ON accounts.account_id = password_links.account_id
    WHERE secret_hash = ${secretHash} AND purpose = ${purpose} AND expires_at > ${now}`);
  return row && toAccount(row);
}

/** Spends a link and returns whose it was. Of several concurrent calls one succeeds (R8). */
export async function takeLink(
  tx: Transaction,
  link: Pick<PasswordLink, 'secretHash' | 'purpose'> & { readonly now: number },
): Promise<AccountId | undefined> {
  const { secretHash, purpose, now } = link;
  const [row] = await tx.all<{ account_id: string }>(sql`
    DELETE FROM password_links
    WHERE secret_hash = ${secretHash} AND purpose = ${purpose} AND expires_at > ${now}
    RETURNING account_id`);
  return row && (row.account_id as AccountId); // replaceLink took it from an account
}

/** Removes every link of an account: whoever has one cannot choose its password any more. */
export async function removeLinks(tx: Queries, accountId: AccountId): Promise<void> {
  await tx.run(sql`DELETE FROM password_links WHERE account_id = ${accountId}`);
}

export function pruneLinks(
  queries: Pick<Queries, 'run'>,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM password_links WHERE secret_hash IN (
      SELECT secret_hash FROM password_links WHERE expires_at <= ${now} LIMIT ${limit})`);
}
