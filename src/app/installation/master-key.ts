import { hkdfSync, scryptSync } from 'node:crypto';
import { createSealer, SealError } from '../../kernel/crypto/sealer.ts';
import type { Queries } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import { drawText, type Random } from '../../kernel/model/random.ts';

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

/** The master key as it is stored: sealed under a key derived from an opener and the salt. */
type SealedMasterKey = { readonly salt: string; readonly sealed: string };

export function findMasterKey(queries: Queries): Promise<SealedMasterKey | undefined> {
  return queries.first<SealedMasterKey>(sql`SELECT salt, sealed FROM master_key WHERE id = 1`);
}

/** Stores a master key, unless another process has stored one before. */
async function insertMasterKey(queries: Queries, { salt, sealed }: SealedMasterKey): Promise<void> {
  await queries.run(sql`
    INSERT INTO master_key (id, salt, sealed) VALUES (1, ${salt}, ${sealed})
    ON CONFLICT (id) DO NOTHING`);
}

async function replaceMasterKey(
  queries: Queries,
  { salt, sealed }: SealedMasterKey,
): Promise<void> {
  await queries.run(sql`UPDATE master_key SET salt = ${salt}, sealed = ${sealed} WHERE id = 1`);
}

/** Afterwards nothing opens what was sealed under it. */
export async function deleteMasterKey(queries: Queries): Promise<void> {
  await queries.run(sql`DELETE FROM master_key`);
}

/**
 * Reseals the master key under `to`, with whichever of `candidates` opens it (T2). Returns the name of that one, or
 * `already` if `to` opens it. Sealed secrets and running servers are not affected. Throws `NOT_OPENED` where none
 * opens it.
 */
export async function resealSecrets(options: {
  readonly database: Queries;
  readonly to: Opener;
  readonly candidates: readonly { readonly name: string; readonly opener: Opener }[];
  readonly random: Random;
}): Promise<string> {
  const { database, to, candidates, random } = options;
  if (await opens(to)) return 'already';
  for (const { name, opener } of candidates) {
    if (!(await opens(opener))) continue;
    await resealMasterKey({ database, from: opener, to, random });
    return name;
  }
  const tried = ['the settings', ...candidates.map(({ name }) => name)].join(', ');
  throw new SealError(
    'NOT_OPENED',
    `The stored secrets do not open (tried: ${tried}). Set TRADEWIND_PREVIOUS_SECRET_KEY to the TRADEWIND_SECRET_KEY, or to the password of PostgreSQL, that the server had before; or restore a backup; or discard the secrets with --discard.`,
  );

  async function opens(opener: Opener): Promise<boolean> {
    try {
      await openMasterKey({ database, opener, random });
      return true;
    } catch (error) {
      if (error instanceof SealError) return false;
      throw error;
    }
  }
}
