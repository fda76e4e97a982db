import type { Queries } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';

/**
 * Forgets everything that was sealed under a master key which nobody has any more (T2): signing keys, and
 * sessions at the identity provider with the browsers signed in by them. Answers how many signing keys that were.
 * Access tokens are worthless then; refresh tokens are hashes and give new ones.
 */
export async function forgetSealed(tx: Queries): Promise<number> {
  await tx.run(sql`DELETE FROM third_party_attempts`);
  await tx.run(sql`DELETE FROM browser_sessions WHERE third_party_session_id IS NOT NULL`);
  await tx.run(sql`DELETE FROM third_party_sessions`);
  return tx.run(sql`DELETE FROM signing_keys`);
}
