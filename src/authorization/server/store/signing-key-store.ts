import type { Database } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';

/** A signing key as it lies in the store: its private part sealed. */
export type StoredSigningKey = {
  /** Counts up from 1; of several processes that make the next one, one succeeds. */
  readonly generation: number;
  readonly kid: string;
  readonly publicKey: string;
  readonly sealed: string;
  readonly signsFrom: number;
  readonly signsUntil: number;
};

export type SigningKeyStore = {
  /** Every key that may still be needed, oldest first. */
  load(): Promise<readonly StoredSigningKey[]>;
  /** Answers whether the key was stored: another process may have been first. */
  add(key: StoredSigningKey): Promise<boolean>;
  /** Calls `wake` whenever a key was added, by whichever process. */
  listen(wake: () => void): Promise<() => Promise<void>>;
  removeUnneeded(signedUntilBefore: number): Promise<void>;
};

const channel = 'signing-keys';

export function createSigningKeyStore(database: Database): SigningKeyStore {
  return {
    async load() {
      const rows = await database.all<SigningKeyRow>(sql`
        SELECT generation, kid, public_key, sealed, signs_from, signs_until
        FROM signing_keys ORDER BY generation`);
      return rows.map(toSigningKey);
    },
    add: ({ generation, kid, publicKey, sealed, signsFrom, signsUntil }) =>
      database.transaction(async (tx) => {
        const added = await tx.run(sql`
          INSERT INTO signing_keys (generation, kid, public_key, sealed, signs_from, signs_until)
          VALUES (${generation}, ${kid}, ${publicKey}, ${sealed}, ${signsFrom}, ${signsUntil})
          ON CONFLICT (generation) DO NOTHING`);
        if (added === 1) tx.notify(channel);
        return added === 1;
      }),
    listen: (wake) => database.listen(channel, wake),
    async removeUnneeded(signedUntilBefore) {
      await database.run(sql`DELETE FROM signing_keys WHERE signs_until < ${signedUntilBefore}`);
    },
  };
}

type SigningKeyRow = {
  generation: number;
  kid: string;
  public_key: string;
  sealed: string;
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
    signsFrom: row.signs_from,
    signsUntil: row.signs_until,
  };
}
