import type { Queries } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';

/** A message that a wallet was asked to sign, for one browser at one page. */
type WalletChallenge = {
  readonly nonceHash: string;
  readonly cookieHash: string;
  /** Of the page's id, which is a secret of its browser. */
  readonly placeHash: string;
  readonly address: string;
  readonly message: string;
  readonly expiresAt: number;
};

export async function addWalletChallenge(
  queries: Queries,
  { nonceHash, cookieHash, placeHash, address, message, expiresAt }: WalletChallenge,
): Promise<void> {
  await queries.run(sql`
    INSERT INTO wallet_challenges (nonce_hash, cookie_hash, place_hash, address, message, expires_at)
    VALUES (${nonceHash}, ${cookieHash}, ${placeHash}, ${address}, ${message}, ${expiresAt})`);
}

/** Gives a challenge to the browser and page it was made for, once (R8). */
export function takeWalletChallenge(
  queries: Queries,
  {
    nonceHash,
    cookieHash,
    placeHash,
    now,
  }: Pick<WalletChallenge, 'nonceHash' | 'cookieHash' | 'placeHash'> & { now: number },
): Promise<Pick<WalletChallenge, 'address' | 'message'> | undefined> {
  return queries.first<{ address: string; message: string }>(sql`
    DELETE FROM wallet_challenges
    WHERE nonce_hash = ${nonceHash} AND cookie_hash = ${cookieHash} AND place_hash = ${placeHash}
      AND expires_at > ${now}
    RETURNING address, message`);
}

/** Removes at most `limit` challenges: expired ones, and the oldest beyond a number. All have the same lifetime. */
export function pruneWalletChallenges(
  queries: Pick<Queries, 'run'>,
  { now, kept, limit }: { readonly now: number; readonly kept: number; readonly limit: number },
): Promise<number> {
  return queries.run(sql`
    DELETE FROM wallet_challenges WHERE nonce_hash IN (
      SELECT nonce_hash FROM wallet_challenges WHERE expires_at <= ${now} OR expires_at <= (
        SELECT expires_at FROM wallet_challenges ORDER BY expires_at DESC LIMIT 1 OFFSET ${kept})
      LIMIT ${limit})`);
}
