import type { Database, Queries } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import type { Account, AccountId, Identity, Role } from '../model/account.ts';

/** An account with what its password is checked against, where it has one. */
type PasswordAccount = Account & { readonly passwordHash: string | undefined };

export type NewAccount = { readonly id: AccountId; readonly name: string; readonly at: number };

export type AccountRow = { account_id: string; name: string; role: string };

export async function findAccountByUsername(
  queries: Queries,
  username: string,
): Promise<PasswordAccount | undefined> {
  const row = await queries.first<AccountRow & { password_hash: string | null }>(sql`
    SELECT account_id, name, role, password_hash FROM accounts WHERE username = ${username}`);
  return row && { ...toAccount(row), passwordHash: row.password_hash ?? undefined };
}

export async function findAccountRole(queries: Queries, id: string): Promise<Role | undefined> {
  const row = await queries.first<AccountRow>(
    sql`SELECT account_id, name, role FROM accounts WHERE account_id = ${id}`,
  );
  return row && toAccount(row).role;
}

/** Makes the owner's account, unless some account is an owner by now. */
export async function ensureOwner(queries: Queries, id: AccountId, at: number): Promise<void> {
  await queries.run(sql`
    INSERT INTO accounts (account_id, name, username, role, created_at)
    SELECT CAST(${id} AS TEXT), 'owner', 'owner', 'owner', CAST(${at} AS BIGINT)
    WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE role = 'owner')
    ON CONFLICT DO NOTHING`);
}

/** The account of an identity, made at the first call; an existing one stays as it is. */
export function ensureAccount(
  database: Database,
  { id, name, at, ...identity }: NewAccount & Identity,
): Promise<Account> {
  return database.transaction(async (tx) => {
    if (await insertIdentity(tx, identity, id)) {
      await tx.run(sql`
        INSERT INTO accounts (account_id, name, role, created_at)
        VALUES (${id}, ${name}, 'member', ${at})`);
    }
    const account = await findByIdentity(tx, identity);
    if (account === undefined) throw new Error('an identity without its account');
    return account;
  });
}

/** Gives an account the name that its identity provider has for it, unless it signs in by a name of ours. */
export async function renameAccount(
  queries: Queries,
  { id, name }: Pick<Account, 'id' | 'name'>,
): Promise<void> {
  await queries.run(
    sql`UPDATE accounts SET name = ${name} WHERE account_id = ${id} AND username IS NULL`,
  );
}

/** Lets an identity lead to an account; `false` if it leads to one already. */
export async function insertIdentity(
  tx: Queries,
  { issuer, subject }: Identity,
  id: AccountId,
): Promise<boolean> {
  const added = await tx.run(sql`
    INSERT INTO account_identities (issuer, subject, account_id)
    VALUES (${issuer}, ${subject}, ${id}) ON CONFLICT (issuer, subject) DO NOTHING`);
  return added === 1;
}

/** Every identity that leads to an account. Their number is bounded when they are linked. */
export function listIdentities(queries: Queries, id: AccountId): Promise<readonly Identity[]> {
  return queries.all<Identity>(sql`
    SELECT issuer, subject FROM account_identities WHERE account_id = ${id}
    ORDER BY issuer, subject`);
}

export async function removeIdentity(
  tx: Queries,
  { issuer, subject }: Identity,
  id: AccountId,
): Promise<boolean> {
  const removed = await tx.run(sql`
    DELETE FROM account_identities
    WHERE issuer = ${issuer} AND subject = ${subject} AND account_id = ${id}`);
  return removed === 1;
}

/** Lets nothing but a password lead to an account any more. */
export async function removeIdentities(tx: Queries, id: AccountId): Promise<void> {
  await tx.run(sql`DELETE FROM account_identities WHERE account_id = ${id}`);
}

export async function hasPassword(queries: Queries, id: AccountId): Promise<boolean> {
  const row = await queries.first(
    sql`SELECT account_id FROM accounts WHERE account_id = ${id} AND password_hash IS NOT NULL`,
  );
  return row !== undefined;
}

/** Whether a password or an identity leads to an account. */
export async function canSignIn(queries: Queries, id: AccountId): Promise<boolean> {
  const row = await queries.first(sql`
    SELECT account_id FROM accounts WHERE account_id = ${id} AND (
      password_hash IS NOT NULL OR EXISTS (
        SELECT 1 FROM account_identities WHERE account_identities.account_id = accounts.account_id))`);
  return row !== undefined;
}

/** How many identities of an issuer have an account. */
export async function countIdentities(queries: Queries, issuer: string): Promise<number> {
  const row = await queries.first<{ count: number }>(
    sql`SELECT COUNT(*) AS count FROM account_identities WHERE issuer = ${issuer}`,
  );
  return row?.count ?? 0;
}

/** The account, if it exists. Nobody can change or remove it before the transaction ends. */
export async function holdAccount(tx: Queries, id: AccountId): Promise<Account | undefined> {
  const row = await tx.first<AccountRow>(
    sql`SELECT account_id, name, role FROM accounts WHERE account_id = ${id} ${tx.dialect.forUpdate}`,
  );
  return row && toAccount(row);
}

export async function findByIdentity(
  queries: Queries,
  { issuer, subject }: Identity,
): Promise<Account | undefined> {
  const row = await queries.first<AccountRow>(sql`
    SELECT accounts.account_id, name, role FROM account_identities
    JOIN accounts ON accounts.account_id = account_identities.account_id
    WHERE issuer = ${issuer} AND subject = ${subject}`);
  return row && toAccount(row);
}

export function toAccount(row: AccountRow): Account {
  // The only place where rows become accounts, so the only one that gives the brand; roles are written from the type.
  return { id: row.account_id as AccountId, name: row.name, role: row.role as Role };
}
