import type { Database, Queries } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';
import type { Account, AccountId, Role } from '../model/account.ts';

/** An account with what its password is checked against, where it has one. */
export type PasswordAccount = Account & { readonly passwordHash: string | undefined };

/** Somebody known elsewhere: at an identity provider by its issuer, or by the address of a wallet. */
type Identity = { readonly issuer: string; readonly subject: string };

export type NewAccount = { readonly id: AccountId; readonly name: string; readonly at: number };

/** Accounts, the identities that lead to them, and the secrets by which the owner sets a password. */
export type AccountStore = {
  findByUsername(username: string): Promise<PasswordAccount | undefined>;
  findRole(id: string): Promise<Role | undefined>;
  /** Makes the owner's account unless there is an owner, whoever that is by now. */
  ensureOwner(id: AccountId, at: number): Promise<void>;
  /** The account of an identity, made at the first call; one that is there keeps its id and takes the name. */
  ensure(account: NewAccount & Identity): Promise<Account>;
  setPassword(id: AccountId, passwordHash: string): Promise<void>;
  /** The account, if it is there; then nobody changes or removes it before the transaction has ended. */
  hold(tx: Queries, id: AccountId): Promise<Account | undefined>;
  addSetUpSecret(secretHash: string, expiresAt: number): Promise<void>;
  /** Whether the first password of the account `owner` can be set by this secret. */
  hasSetUpSecret(secretHash: string, now: number): Promise<boolean>;
  /**
   * Sets the owner's first password by a set-up secret and forgets all such secrets: of several tries
   * at once one succeeds. Answers whether this one did.
   */
  setUpOwner(setUp: { secretHash: string; passwordHash: string; now: number }): Promise<boolean>;
};

export type AccountRow = { account_id: string; name: string; role: string };

export function createAccountStore(database: Database): AccountStore {
  const findByIdentity = async (queries: Queries, { issuer, subject }: Identity) => {
    const row = await queries.first<AccountRow>(sql`
      SELECT accounts.account_id, name, role FROM account_identities
      JOIN accounts ON accounts.account_id = account_identities.account_id
      WHERE issuer = ${issuer} AND subject = ${subject}`);
    return row && toAccount(row);
  };

  return {
    async findByUsername(username) {
      const row = await database.first<AccountRow & { password_hash: string | null }>(sql`
        SELECT account_id, name, role, password_hash FROM accounts WHERE username = ${username}`);
      return row && { ...toAccount(row), passwordHash: row.password_hash ?? undefined };
    },
    async findRole(id) {
      const row = await database.first<AccountRow>(
        sql`SELECT account_id, name, role FROM accounts WHERE account_id = ${id}`,
      );
      return row && toAccount(row).role;
    },
    async ensureOwner(id, at) {
      await database.run(sql`
        INSERT INTO accounts (account_id, name, username, role, created_at)
        SELECT CAST(${id} AS TEXT), 'owner', 'owner', 'owner', CAST(${at} AS BIGINT)
        WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE role = 'owner')
        ON CONFLICT DO NOTHING`);
    },
    ensure: ({ id, name, at, issuer, subject }) =>
      database.transaction(async (tx) => {
        const isNew = await tx.run(sql`
          INSERT INTO account_identities (issuer, subject, account_id)
          VALUES (${issuer}, ${subject}, ${id}) ON CONFLICT (issuer, subject) DO NOTHING`);
        if (isNew === 1) {
          await tx.run(sql`
            INSERT INTO accounts (account_id, name, role, created_at)
            VALUES (${id}, ${name}, 'member', ${at})`);
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
      const row = await tx.first<AccountRow>(
        sql`SELECT account_id, name, role FROM accounts WHERE account_id = ${id} ${forUpdate}`,
      );
      return row && toAccount(row);
    },
    async addSetUpSecret(secretHash, expiresAt) {
      await database.run(sql`
        INSERT INTO set_up_secrets (secret_hash, expires_at) VALUES (${secretHash}, ${expiresAt})`);
    },
    async hasSetUpSecret(secretHash, now) {
      const row = await database.first(sql`
        SELECT secret_hash FROM set_up_secrets
        WHERE secret_hash = ${secretHash} AND expires_at > ${now} AND EXISTS (
          SELECT 1 FROM accounts WHERE username = 'owner' AND password_hash IS NULL)`);
      return row !== undefined;
    },
    setUpOwner: ({ secretHash, passwordHash, now }) =>
      database.transaction(async (tx) => {
        const spent = await tx.run(sql`
          DELETE FROM set_up_secrets WHERE secret_hash = ${secretHash} AND expires_at > ${now}`);
        if (spent === 0) return false;
        const isSet = await tx.run(sql`
          UPDATE accounts SET password_hash = ${passwordHash}
          WHERE username = 'owner' AND password_hash IS NULL`);
        await tx.run(sql`DELETE FROM set_up_secrets`);
        return isSet === 1;
      }),
  };
}

export function toAccount(row: AccountRow): Account {
  // The only place where rows become accounts, so the only one that gives the brand; roles are written from the type.
  return { id: row.account_id as AccountId, name: row.name, role: row.role as Role };
}
