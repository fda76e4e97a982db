import type { Database, Transaction } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';
import { longestAccessToken } from '../model/lifetimes.ts';

/** What no longer holds: a grant, a client that was removed for good, or one access token. */
export type Revocation = {
  readonly kind: 'grant' | 'client' | 'token';
  readonly subject: string;
  readonly revokedAt: number;
  /** When the last token that it could concern has expired. */
  readonly validUntil: number;
};

const channel = 'revocations';

/** Adds to the list, in the transaction that revokes, and wakes every process. */
export async function storeRevocation(
  tx: Transaction,
  revocation: Pick<Revocation, 'kind' | 'subject' | 'revokedAt'>,
): Promise<void> {
  const { kind, subject, revokedAt } = revocation;
  await tx.run(sql`
    INSERT INTO revocations (kind, subject, revoked_at, valid_until)
    VALUES (${kind}, ${subject}, ${revokedAt}, ${revokedAt + longestAccessToken})
    ON CONFLICT (kind, subject) DO UPDATE
      SET revoked_at = excluded.revoked_at, valid_until = excluded.valid_until`);
  tx.notify(channel);
}

/** What was revoked after a moment, by any process, oldest first. */
export async function readRevocations(
  database: Database,
  after: number,
): Promise<readonly Revocation[]> {
  const rows = await database.all<RevocationRow>(sql`
    SELECT kind, subject, revoked_at, valid_until FROM revocations
    WHERE revoked_at > ${after} ORDER BY revoked_at`);
  return rows.map(({ kind, subject, revoked_at, valid_until }) => ({
    kind: kind as Revocation['kind'], // written by storeRevocation alone
    subject,
    revokedAt: revoked_at,
    validUntil: valid_until,
  }));
}

export function listenForRevocations(database: Database, wake: () => void) {
  return database.listen(channel, wake);
}

type RevocationRow = { kind: string; subject: string; revoked_at: number; valid_until: number };
