import type { Queries } from '../../../kernel/database/database.ts';
import { sql } from '../../../kernel/database/sql.ts';

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
