import type { Database, Transaction } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import { longestAccessToken } from '../model/grant.ts';

/** A revoked grant, a revoked access token, a client that was removed for good, or a scope that a client lost. */
export type Revocation = {
  readonly kind: 'grant' | 'client' | 'token' | 'scope';
  /** Its id; of a scope that of the client, a space and the scope. */
  readonly subject: string;
  readonly revokedAt: number;
  /** When the last token that it can affect has expired. */
  readonly validUntil: number;
};

const channel = 'revocations';

/** Stores a revocation in the transaction of its change, and notifies every process. */
export async function storeRevocation(
  tx: Transaction,
  revoked: Pick<Revocation, 'kind' | 'subject' | 'revokedAt'>,
): Promise<Revocation> {
  const revocation = { ...revoked, validUntil: revoked.revokedAt + longestAccessToken };
  const { kind, subject, revokedAt, validUntil } = revocation;
  await tx.run(sql`
    INSERT INTO revocations (kind, subject, revoked_at, valid_until)
    VALUES (${kind}, ${subject}, ${revokedAt}, ${validUntil})
    ON CONFLICT (kind, subject) DO UPDATE
      SET revoked_at = excluded.revoked_at, valid_until = excluded.valid_until`);
  tx.notify(channel, JSON.stringify(revocation));
  return revocation;
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

/** Calls `learn` with each revocation, and with `undefined` when some may have been missed. */
export function listenForRevocations(
  database: Database,
  learn: (revocation: Revocation | undefined) => void,
) {
  return database.listen(
    channel,
    (detail) => learn(detail ? (JSON.parse(detail) as Revocation) : undefined), // written by storeRevocation alone
  );
}

type RevocationRow = { kind: string; subject: string; revoked_at: number; valid_until: number };
