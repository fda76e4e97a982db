import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { forgetSealed } from '../../authorization/index.ts';
import { replaceSealed } from '../../events/index.ts';
import { keyFileIn, readKeyFile } from '../../kernel/crypto/key-file.ts';
import { type Database, DatabaseError } from '../../kernel/database/database.ts';
import { migrate } from '../../kernel/database/migrate.ts';
import { openDatabase } from '../../kernel/database/open-database.ts';
import { type DataDirectory, enterDataDirectory } from '../../kernel/process/data-directory.ts';
import type { Installation } from './installation.ts';
import { deleteMasterKey, type Opener, openMasterKey, resealSecrets } from './master-key.ts';

/** How many signing keys were discarded and how many webhooks got new secrets. */
export type Discarded = { readonly signingKeys: number; readonly webhooks: number };

/**
 * Reseals the stored secrets so that the current settings open them. They may have been sealed under
 * `previous`, the setting, the password of PostgreSQL or the key file. Returns which of these opened them.
 * Throws `NOT_OPENED`, and `IN_USE` while a server uses the embedded file.
 */
export function resealInstallation(
  installation: Installation,
  previous: string | undefined,
): Promise<string> {
  return withDatabase(installation, (database, dataDir) =>
    resealSecrets({
      database,
      to: installation.openerIn(dataDir),
      candidates: candidatesOf(installation, { dataDir, previous }),
      random: installation.random,
    }),
  );
}

/**
 * Discards the secrets that nothing opens any more. Creates a new master key; new signing keys follow at
 * the next start. Webhooks get new secrets, which their receivers do not know yet, and people who signed in
 * at the identity provider must sign in again. Accounts, passwords, clients and refresh tokens stay, since
 * they hold only hashes.
 */
export function discardSecrets(installation: Installation): Promise<Discarded> {
  return withDatabase(installation, (database, dataDir) =>
    database.transaction(async (tx) => {
      const { random } = installation;
      await deleteMasterKey(tx);
      const opener = installation.openerIn(dataDir);
      const masterKey = await openMasterKey({ database: tx, opener, random });
      const signingKeys = await forgetSealed(tx);
      const webhooks = await replaceSealed(tx, { masterKey, random });
      return { signingKeys, webhooks };
    }),
  );
}

async function withDatabase<T>(
  { databaseUrl, migrations, ...named }: Installation,
  work: (database: Database, dataDir: DataDirectory) => Promise<T>,
): Promise<T> {
  // With PostgreSQL too, since a key file may be there.
  const dataDir = enterDataDirectory(named.dataDir, { make: databaseUrl === undefined });
  const database = await openDatabase({ dataDir, url: databaseUrl }).catch((error) => {
    throw error instanceof DatabaseError && error.code === 'IN_USE' ? inUse(dataDir, error) : error;
  });
  try {
    await migrate(database, migrations);
    return await work(database, dataDir);
  } finally {
    await database.close();
  }
}

/** Replaces the message of the database, which is advice on starting a second server. */
function inUse(dataDir: string, cause: DatabaseError): DatabaseError {
  const message = `A server uses ${resolve(dataDir)}: stop it, run tradewind keys reseal again, then start it.`;
  return new DatabaseError('IN_USE', message, { cause });
}

function candidatesOf(
  installation: Installation,
  { dataDir, previous }: { readonly dataDir: DataDirectory; readonly previous: string | undefined },
) {
  const { secretKey, databaseUrl, random } = installation;
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
