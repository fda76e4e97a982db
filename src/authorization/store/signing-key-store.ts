import type { Database, Queries } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';

/** A signing key as stored, with its private part sealed. */
export type StoredSigningKey = {
  /** Counts up from 1; of several processes that make the next one, one succeeds. */
  readonly generation: number;
  readonly kid: string;
  readonly publicKey: string;
  readonly sealed: string;
  readonly madeAt: number;
  readonly signsFrom: number;
  readonly signsUntil: number;
};

const channel = 'signing-keys';

/** Every key that may still be needed, oldest first. */
export async function loadSigningKeys(queries: Queries): Promise<readonly StoredSigningKey[]> {
  const rows = await queries.all<SigningKeyRow>(sql`
    SELECT generation, kid, public_key, sealed, made_at, signs_from, signs_until
    FROM signing_keys ORDER BY generation`);
  return rows.map(toSigningKey);
}

/** Returns whether the key was stored: another process may have been first. */
export function addSigningKey(database: Database, key: StoredSigningKey): Promise<boolean> {
  return database.transaction(async (tx) => {
    const isAdded = await insert(tx, key);
    if (isAdded) tx.notify(channel);
    return isAdded;
  });
}

/**
 * Adds the next key. The keys before it sign until it begins, and keys that had not begun are
 * removed. Of several concurrent calls each adds one.
 */
export function addNextSigningKey(
  database: Database,
  makeKey: (generation: number) => StoredSigningKey,
): Promise<StoredSigningKey> {
  return database.transaction(async (tx) => {
    await tx.first(tx.dialect.lock('authorization.signing-keys'));
    const last = await tx.first<{ generation: number | null }>(
      sql`SELECT MAX(generation) AS generation FROM signing_keys`,
    );
    const key = makeKey((last?.generation ?? 0) + 1);
    await tx.run(sql`DELETE FROM signing_keys WHERE signs_from > ${key.signsFrom}`);
    await tx.run(sql`
      UPDATE signing_keys SET signs_until = ${key.signsFrom}
      WHERE signs_until > ${key.signsFrom}`);
    await insert(tx, key);
    tx.notify(channel);
    return key;
  });
}

/** Calls `wake` whenever a key was added, by whichever process. */
export function listenToSigningKeys(
  database: Database,
  wake: () => void,
): Promise<() => Promise<void>> {
  return database.listen(channel, wake);
}

export async function removeUnneededSigningKeys(
  database: Database,
  signedUntilBefore: number,
): Promise<void> {
  await database.run(sql`DELETE FROM signing_keys WHERE signs_until < ${signedUntilBefore}`);
}

/** Returns whether it was stored: another process may have been first. */
async function insert(tx: Queries, key: StoredSigningKey): Promise<boolean> {
  const { generation, kid, publicKey, sealed, madeAt, signsFrom, signsUntil } = key;
  const added = await tx.run(sql`
    INSERT INTO signing_keys
      (generation, kid, public_key, sealed, made_at, signs_from, signs_until)
    VALUES (${generation}, ${kid}, ${publicKey}, ${sealed}, ${madeAt}, ${signsFrom},
      ${signsUntil})
    ON CONFLICT (generation) DO NOTHING`);
  return added === 1;
}

type SigningKeyRow = {
  generation: number;
  kid: string;
  public_key: string;
  sealed: string;
  made_at: number;
  signs_from: number;
  signs_until: number;
};

function toSigningKey(row: SigningKeyRow): StoredSigningKey {
  const { generation, kid, sealed } = row;
  return {
    generation,
    kid,
    publicKey: row.public_key,
    sealed,
    madeAt: row.made_at,
    signsFrom: row.signs_from,
    signsUntil: row.signs_until,
  };
}

/**
 * Removes everything that was sealed under a lost master key (T2): signing keys, and sessions at the identity
 * provider with the browsers signed in by them. Returns the number of signing keys. Access tokens are then
 * worthless; refresh tokens are stored as hashes and still give new ones.
 */
export async function forgetSealed(tx: Queries): Promise<number> {
  await tx.run(sql`DELETE FROM third_party_attempts`);
  await tx.run(sql`DELETE FROM browser_sessions WHERE third_party_session_id IS NOT NULL`);
  await tx.run(sql`DELETE FROM third_party_sessions`);
  return tx.run(sql`DELETE FROM signing_keys`);
}
