import type { Database, Queries } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';
import type { Account, AccountId } from '../model/account.ts';

/** An account with what its password is checked against, where it has one. */
export type PasswordAccount = Account & { readonly passwordHash: string | undefined };

/** An account with how it signs in: `password`, or the issuer of the identity that leads to it. */
export type ListedAccount = Account & { readonly signsInBy: string };

/** Somebody known elsewhere: at an identity provider by its issuer, or by the address of a wallet. */
type Identity = { readonly issuer: string; readonly subject: string };

type NewAccount = { readonly id: AccountId; readonly name: string; readonly at: number };

/** Accounts, the identities that lead to them, and the secrets by which the owner sets a password. */
export type AccountStore = {
  findByUsername(username: string): Promise<PasswordAccount | undefined>;
  /** Every account in the order they were made. */
  list(): Promise<readonly ListedAccount[]>;
  /** Makes the owner's account unless it is there. */
  ensureOwner(id: AccountId, at: number): Promise<void>;
  /** Makes an account that signs in by password; `false` where the name is taken. */
  add(account: NewAccount & { readonly passwordHash: string }): Promise<boolean>;
  /** The account of an identity, made at the first call; one that is there keeps its id and takes the name. */
  ensure(account: NewAccount & Identity): Promise<Account>;
  setPassword(id: AccountId, passwordHash: string): Promise<void>;
  /** Whether the account is there; if so, nobody removes it before the transaction has ended. */
  hold(tx: Queries, id: AccountId): Promise<boolean>;
  /** Removes an account, but never the owner's; answers whether it was there. */
  remove(tx: Queries, id: AccountId): Promise<boolean>;
  addSetUpSecret(secretHash: string, expiresAt: number): Promise<void>;
  /** Whether the owner's first password can be set by this secret. */
  hasSetUpSecret(secretHash: string, now: number): Promise<boolean>;
  /**
   * Sets the owner's first password by a set-up secret and forgets all such secrets: of several tries
   * at once one succeeds. Answers whether this one did.
   */
  setUpOwner(setUp: { secretHash: string; passwordHash: string; now: number }): Promise<boolean>;
};

export type AccountRow = { account_id: string; name: string; is_owner: number };

export function createAccountStore(database: Database): AccountStore {
  const findByIdentity = async (queries: Queries, { issuer, subject }: Identity) => {
    const row = await queries.first<AccountRow>(sql`
      SELECT accounts.account_id, name, is_owner FROM account_identities
      JOIN accounts ON accounts.account_id = account_identities.account_id
      WHERE issuer = ${issuer} AND subject = ${subject}`);
    return row && toAccount(row);
  };

  return {
    async findByUsername(username) {
      const row = await database.first<AccountRow & { password_hash: string | null }>(sql`
        SELECT account_id, name, is_owner, password_hash FROM accounts WHERE username = ${username}`);
      return row && { ...toAccount(row), passwordHash: row.password_hash ?? undefined };
    },
    async list() {
      const rows = await database.all<AccountRow & { issuer: string | null }>(sql`
        SELECT accounts.account_id, name, is_owner, issuer FROM accounts
        LEFT JOIN account_identities ON account_identities.account_id = accounts.account_id
        ORDER BY accounts.created_at, accounts.account_id`);
      return rows.map((row) => ({ ...toAccount(row), signsInBy: row.issuer ?? 'password' }));
    },
    async ensureOwner(id, at) {
      await database.run(sql`
        INSERT INTO accounts (account_id, name, username, is_owner, created_at)
        VALUES (${id}, 'owner', 'owner', 1, ${at}) ON CONFLICT (account_id) DO NOTHING`);
    },
    async add({ id, name, passwordHash, at }) {
      const added = await database.run(sql`
        INSERT INTO accounts (account_id, name, username, password_hash, is_owner, created_at)
        VALUES (${id}, ${name}, ${name}, ${passwordHash}, 0, ${at}) ON CONFLICT (username) DO NOTHING`);
      return added === 1;
    },
    ensure: ({ id, name, at, issuer, subject }) =>
      database.transaction(async (tx) => {
        const isNew = await tx.run(sql`
          INSERT INTO account_identities (issuer, subject, account_id)
          VALUES (${issuer}, ${subject}, ${id}) ON CONFLICT (issuer, subject) DO NOTHING`);
        if (isNew === 1) {
          await tx.run(sql`
            INSERT INTO accounts (account_id, name, is_owner, created_at)
            VALUES (${id}, ${name}, 0, ${at})`);
        } else {
          await tx.run(sql`
            UPDATE accounts SET name = ${name} WHERE account_id = (SELECT account_id
              FROM account_identities WHERE issuer = ${issuer} AND subject = ${subject})`);
        }
        const account = await findByIdentity(tx, { issuer, subject });
        if (account === undefined) throw new Error('an identity without its account');
        return account;
      }),
    async setPassword(id, passwordHash) {
      await database.run(
        sql`UPDATE accounts SET password_hash = ${passwordHash} WHERE account_id = ${id}`,
      );
    },
    async hold(tx, id) {
      const { forUpdate } = database.dialect;
      const row = await tx.first(
        sql`SELECT account_id FROM accounts WHERE account_id = ${id} ${forUpdate}`,
      );
      return row !== undefined;
    },
    async remove(tx, id) {
      const removed = await tx.run(
        sql`DELETE FROM accounts WHERE account_id = ${id} AND is_owner = 0`,
      );
      if (removed === 0) return false;
      await tx.run(sql`DELETE FROM account_identities WHERE account_id = ${id}`);
      await tx.run(sql`DELETE FROM browser_sessions WHERE account_id = ${id}`);
      await tx.run(sql`DELETE FROM third_party_sessions WHERE account_id = ${id}`);
      return true;
    },
    async addSetUpSecret(secretHash, expiresAt) {
      await database.run(sql`
        INSERT INTO set_up_secrets (secret_hash, expires_at) VALUES (${secretHash}, ${expiresAt})`);
    },
    async hasSetUpSecret(secretHash, now) {
      const row = await database.first(sql`
        SELECT secret_hash FROM set_up_secrets
        WHERE secret_hash = ${secretHash} AND expires_at > ${now} AND EXISTS (
          SELECT 1 FROM accounts WHERE is_owner = 1 AND password_hash IS NULL)`);
      return row !== undefined;
    },
    setUpOwner: ({ secretHash, passwordHash, now }) =>
      database.transaction(async (tx) => {
        const spent = await tx.run(sql`
          DELETE FROM set_up_secrets WHERE secret_hash = ${secretHash} AND expires_at > ${now}`);
        if (spent === 0) return false;
        const isSet = await tx.run(sql`
          UPDATE accounts SET password_hash = ${passwordHash}
          WHERE is_owner = 1 AND password_hash IS NULL`);
        await tx.run(sql`DELETE FROM set_up_secrets`);
        return isSet === 1;
      }),
  };
}

export function toAccount(row: AccountRow): Account {
  // The only place where rows become accounts, so the only one that gives the brand.
  return { id: row.account_id as AccountId, name: row.name, isOwner: row.is_owner === 1 };
}
