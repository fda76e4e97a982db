import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { forgetSealed } from '../../authorization/index.ts';
import { replaceSealed } from '../../events/index.ts';
import type { Installation } from '../../kernel/backup/installation.ts';
import { deleteMasterKey } from '../../kernel/crypto/master-key-store.ts';
import { type Opener, openMasterKey } from '../../kernel/crypto/open-master-key.ts';
import { keyFileIn, readKeyFile } from '../../kernel/crypto/read-key-file.ts';
import { resealSecrets } from '../../kernel/crypto/reseal-secrets.ts';
import type { Database } from '../../kernel/database/database.ts';
import { DatabaseError } from '../../kernel/database/database-error.ts';
import { migrate } from '../../kernel/database/migrate.ts';
import { openDatabase } from '../../kernel/database/open-database.ts';

/** What was lost where secrets were given up. */
export type Discarded = { readonly signingKeys: number; readonly webhooks: number };

/**
 * Has the stored secrets open with what the settings hold now, whatever of these they were sealed under:
 * the secret given as the previous one, the setting, the password of PostgreSQL, the key file. Answers
 * which it was. Throws `NOT_OPENED`, and `IN_USE` for an embedded file that a server has.
 */
export function resealInstallation(
  installation: Installation,
  previous: string | undefined,
): Promise<string> {
  return withDatabase(installation, (database) =>
    resealSecrets({
      database,
      to: installation.opener(),
      candidates: candidatesOf(installation, previous),
      random: installation.random,
    }),
  );
}

/**
 * Gives up the secrets that nothing opens: there is a new master key, new signing keys come at the next
 * start, webhooks get secrets that nobody knows yet, and whoever signed in at the identity provider does so
 * again. Accounts, passwords, clients and refresh tokens are hashes and stay.
 */
export function discardSecrets(installation: Installation): Promise<Discarded> {
  return withDatabase(installation, (database) =>
    database.transaction(async (tx) => {
      const { random } = installation;
      await deleteMasterKey(tx);
      const opener = installation.opener();
      const masterKey = await openMasterKey({ database: tx, opener, random });
      const signingKeys = await forgetSealed(tx);
      const webhooks = await replaceSealed(tx, { masterKey, random });
      return { signingKeys, webhooks };
    }),
  );
}

async function withDatabase<T>(
  { dataDir, databaseUrl, migrations }: Installation,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ dataDir, url: databaseUrl }).catch((error) => {
    throw error instanceof DatabaseError && error.code === 'IN_USE' ? inUse(dataDir, error) : error;
  });
  try {
    await migrate(database, migrations);
    return await work(database);
  } finally {
    await database.close();
  }
}

/** What the database itself says of this is for a second server. */
function inUse(dataDir: string, cause: DatabaseError): DatabaseError {
  const message = `A server uses ${resolve(dataDir)}: stop it, run tradewind keys reseal again, then start it.`;
  return new DatabaseError('IN_USE', message, { cause });
}

function candidatesOf(installation: Installation, previous: string | undefined) {
  const { secretKey, databaseUrl, dataDir, random } = installation;
  const password = (name: string, secret: string | undefined) =>
    secret ? [{ name, opener: { secret, isPassword: true } }] : [];
  const isKeyFile = existsSync(keyFileIn(dataDir));
  const keyFile = (): Opener => ({ secret: readKeyFile(dataDir, random), isPassword: false });
  return [
    ...password('TRADEWIND_PREVIOUS_SECRET_KEY', previous),
    ...password('TRADEWIND_SECRET_KEY', secretKey),
    ...password(
      'the password of PostgreSQL',
      databaseUrl && decodeURIComponent(new URL(databaseUrl).password),
    ),
    ...(isKeyFile ? [{ name: keyFileIn(dataDir), opener: keyFile() }] : []),
  ];
}
