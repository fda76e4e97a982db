import { hkdfSync, scryptSync } from 'node:crypto';
import type { Queries } from '../database/database.ts';
import type { Migration } from '../database/migrate.ts';
import { drawText } from '../random/draw-text.ts';
import type { Random } from '../random/random.ts';
import {
  findMasterKey,
  insertMasterKey,
  replaceMasterKey,
  type SealedMasterKey,
} from './master-key-store.ts';
import { createSealer } from './sealer.ts';

/** `master_key`: the one key under which secrets are sealed, itself sealed by a secret from outside. */
export const masterKeyMigrations: readonly Migration[] = [
  {
    id: 'kernel-0004-master-key',
    statements: () => [
      `CREATE TABLE master_key (
        id BIGINT PRIMARY KEY, salt TEXT NOT NULL, sealed TEXT NOT NULL)`,
    ],
  },
];

/** A secret from outside the database that opens the master key. */
export type Opener = {
  readonly secret: string;
  /** Whether a person may have chosen it, so that guessing must be slow. */
  readonly isPassword: boolean;
};

/**
 * The master key of a database, made at the first call. Every process with the same opener gets the
 * same key; another opener throws `NOT_OPENED`. A copy of the database alone does not reveal it.
 */
export async function openMasterKey(options: {
  database: Queries;
  opener: Opener;
  random: Random;
}): Promise<Uint8Array> {
  const { database, opener, random } = options;
  const stored = (await findMasterKey(database)) ?? (await storeNew());
  const key = sealerFor(stored.salt).open(stored.sealed, context);
  return Buffer.from(key, 'base64url');

  function sealerFor(salt: string) {
    return createSealer({ masterKey: stretch(opener, salt), purpose, random });
  }

  async function storeNew(): Promise<SealedMasterKey> {
    const salt = drawText(random, 16);
    const key = drawText(random, 32);
    const made = { salt, sealed: sealerFor(salt).seal(key, context) };
    await insertMasterKey(database, made);
    // Another process may have been first; then its key is the one.
    return (await findMasterKey(database)) ?? made;
  }
}

/**
 * Seals the master key under another opener, which alone opens it from then on. Does nothing where there is
 * no master key yet. Throws `NOT_OPENED` where `from` does not open it.
 */
export async function resealMasterKey(options: {
  database: Queries;
  from: Opener;
  to: Opener;
  random: Random;
}): Promise<void> {
  const { database, from, to, random } = options;
  if ((await findMasterKey(database)) === undefined) return;
  const key = await openMasterKey({ database, opener: from, random });
  const salt = drawText(random, 16);
  const sealer = createSealer({ masterKey: stretch(to, salt), purpose, random });
  const sealed = sealer.seal(Buffer.from(key).toString('base64url'), context);
  await replaceMasterKey(database, { salt, sealed });
}

const context = 'master_key';
const purpose = 'the master key';

function stretch({ secret, isPassword }: Opener, salt: string): Uint8Array {
  if (!isPassword) return new Uint8Array(hkdfSync('sha256', secret, salt, 'tradewind opener', 32));
  // N = 2^17, r = 8, p = 1: OWASP's first choice for scrypt, 128 MiB for a third of a second.
  return scryptSync(secret, salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 });
}
