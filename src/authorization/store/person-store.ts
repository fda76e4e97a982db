import type { Database, Queries, Transaction } from '../../kernel/database/database.ts';
import { type Sql, sql } from '../../kernel/database/sql.ts';
import type { Account, AccountId } from '../model/account.ts';
import { type AccountRow, type NewAccount, toAccount } from './account-store.ts';
import { removeProviderSessionsOf } from './identity-provider-store.ts';
import type { Page } from './page.ts';
import { removeLinks } from './password-store.ts';
import { endSessionsOf } from './session-store.ts';

/** Somebody as admins see them. */
export type StoredPerson = Account & {
  /** What they sign in with; none where that is a wallet or another server. */
  readonly username: string | undefined;
  /** `password` where they have one, else the issuer of an identity that leads to the account. */
  readonly signsInBy: string;
  /** Whether they have never chosen a password, though they sign in by one. */
  readonly isInvited: boolean;
  readonly createdAt: number;
  /** Browsers in which they are signed in. */
  readonly sessions: number;
  /** Programs that they allowed something. */
  readonly grants: number;
};

/** The times that decide which sessions and grants of a person count. */
type PersonAge = {
  readonly now: number;
  readonly signedInAfter: number;
  readonly usedAfter: number;
};

export async function listPeople(
  queries: Queries,
  { after, limit, ...age }: Page & PersonAge,
): Promise<readonly StoredPerson[]> {
  const rows = await queries.all<PersonRow>(sql`
    SELECT ${personColumns(age)} FROM accounts
    WHERE (created_at, accounts.account_id) > (${after.at}, ${after.id})
    ORDER BY created_at, accounts.account_id LIMIT ${limit}`);
  return rows.map(toPerson);
}

export async function findPerson(
  queries: Queries,
  id: string,
  age: PersonAge,
): Promise<StoredPerson | undefined> {
  const row = await queries.first<PersonRow>(
    sql`SELECT ${personColumns(age)} FROM accounts WHERE account_id = ${id}`,
  );
  return row && toPerson(row);
}

/** Makes an account that signs in by a password, which may be chosen later; `false` where the name is taken. */
export async function insertPerson(
  queries: Queries,
  person: NewAccount & {
    readonly role: Account['role'];
    readonly passwordHash: string | undefined;
  },
): Promise<boolean> {
  const { id, name, role, passwordHash = null, at } = person;
  const added = await queries.run(sql`
    INSERT INTO accounts (account_id, name, username, password_hash, role, created_at)
    VALUES (${id}, ${name}, ${name}, ${passwordHash}, ${role}, ${at})
    ON CONFLICT (username) DO NOTHING`);
  return added === 1;
}

/**
 * Serializes changes of owners until the transaction ends, and returns whether there is another owner who can sign
 * in.
 */
export async function hasOtherOwner(
  database: Database,
  tx: Transaction,
  id: AccountId,
): Promise<boolean> {
  await tx.first(database.dialect.lock('authorization.owners'));
  const other = await tx.first(sql`
    SELECT account_id FROM accounts WHERE role = 'owner' AND account_id <> ${id} AND (
      password_hash IS NOT NULL OR EXISTS (
        SELECT 1 FROM account_identities WHERE account_identities.account_id = accounts.account_id))
    LIMIT 1`);
  return other !== undefined;
}

/**
 * Gives an account another role. Links for choosing its password no longer work: whoever has one may be allowed to
 * manage people of the old role, but not of the new one (T3).
 */
export async function setRole(
  tx: Transaction,
  { id, role }: Pick<Account, 'id' | 'role'>,
): Promise<void> {
  await tx.run(sql`UPDATE accounts SET role = ${role} WHERE account_id = ${id}`);
  await removeLinks(tx, id);
}

/** Removes an account with everything that its person signs in with, and returns whether it existed. */
export async function removePerson(tx: Queries, id: AccountId): Promise<boolean> {
  const removed = await tx.run(sql`DELETE FROM accounts WHERE account_id = ${id}`);
  if (removed === 0) return false;
  await tx.run(sql`DELETE FROM account_identities WHERE account_id = ${id}`);
  await removeLinks(tx, id);
  await endSessionsOf(tx, id);
  await removeProviderSessionsOf(tx, id);
  return true;
}

function personColumns({ now, signedInAfter, usedAfter }: PersonAge): Sql {
  return sql`accounts.account_id, name, username, role, created_at,
    CASE WHEN password_hash IS NULL THEN 0 ELSE 1 END AS has_password,
    (SELECT MIN(issuer) FROM account_identities
      WHERE account_identities.account_id = accounts.account_id) AS issuer,
    (SELECT COUNT(*) FROM browser_sessions
      WHERE browser_sessions.account_id = accounts.account_id
        AND signed_in_at > ${signedInAfter} AND last_used_at > ${usedAfter}) AS sessions,
    (SELECT COUNT(*) FROM grants
      WHERE grants.account_id = accounts.account_id AND expires_at > ${now}) AS grants`;
}

type PersonRow = AccountRow & {
  username: string | null;
  created_at: number;
  has_password: number;
  issuer: string | null;
  sessions: number;
  grants: number;
};

function toPerson(row: PersonRow): StoredPerson {
  return {
    ...toAccount(row),
    username: row.username ?? undefined,
    signsInBy: row.has_password === 1 ? 'password' : (row.issuer ?? 'password'),
    isInvited: row.issuer === null && row.has_password === 0,
    createdAt: row.created_at,
    sessions: row.sessions,
    grants: row.grants,
  };
}
