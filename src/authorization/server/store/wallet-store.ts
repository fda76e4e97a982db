import type { Database } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';

/** A message that a wallet was asked to sign, for one browser at one page. */
export type WalletChallenge = {
  readonly nonceHash: string;
  readonly cookieHash: string;
  /** Of the page's id, which is a secret of its browser. */
  readonly placeHash: string;
  readonly address: string;
  readonly message: string;
  readonly expiresAt: number;
};

export type WalletStore = {
  add(challenge: WalletChallenge): Promise<void>;
  /** Gives a challenge to the browser and page it was made for, once (R8). */
  take(
    query: Pick<WalletChallenge, 'nonceHash' | 'cookieHash' | 'placeHash'> & { now: number },
  ): Promise<Pick<WalletChallenge, 'address' | 'message'> | undefined>;
  prune(now: number): Promise<void>;
};

export function createWalletStore(database: Database): WalletStore {
  return {
    async add({ nonceHash, cookieHash, placeHash, address, message, expiresAt }) {
      await database.run(sql`
        INSERT INTO wallet_challenges (nonce_hash, cookie_hash, place_hash, address, message, expires_at)
        VALUES (${nonceHash}, ${cookieHash}, ${placeHash}, ${address}, ${message}, ${expiresAt})`);
    },
    take: ({ nonceHash, cookieHash, placeHash, now }) =>
      database.first<{ address: string; message: string }>(sql`
        DELETE FROM wallet_challenges
        WHERE nonce_hash = ${nonceHash} AND cookie_hash = ${cookieHash} AND place_hash = ${placeHash}
          AND expires_at > ${now}
        RETURNING address, message`),
    async prune(now) {
      await database.run(sql`DELETE FROM wallet_challenges WHERE expires_at <= ${now}`);
    },
  };
}
