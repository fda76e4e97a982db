import type { Database, Queries, Transaction } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import type { Account, AccountId } from '../model/account.ts';
import { type AccountRow, toAccount } from './account-store.ts';
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

/** Why somebody chooses a password by a link: they are new here, or an admin lets them choose another. */
export type LinkPurpose = 'invite' | 'reset';

/** A link as it is stored: of its secret the hash alone (R7). */
type PasswordLink = {
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
