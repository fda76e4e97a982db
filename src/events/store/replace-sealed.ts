import { createSealer } from '../../kernel/crypto/sealer.ts';
import type { Queries } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/sql.ts';
import type { Random } from '../../kernel/model/random.ts';
import { makeSigningSecret, signingSecretPurpose } from '../model/signing-secret.ts';

/**
 * Replaces the signing secrets that were sealed under a lost master key (T2), and returns how many webhooks they sign
 * for. Nobody knows the new ones, so receivers refuse deliveries until the secrets are rotated.
 */
export async function replaceSealed(
  tx: Queries,
  { masterKey, random }: { readonly masterKey: Uint8Array; readonly random: Random },
): Promise<number> {
  const sealer = createSealer({ masterKey, purpose: signingSecretPurpose, random });
  await tx.run(sql`UPDATE events_operations SET sealed_secret = NULL`);
  const signed = await tx.all<{ subscription_id: string }>(
    sql`SELECT subscription_id FROM events_lanes WHERE secrets IS NOT NULL`,
  );
  for (const { subscription_id: id } of signed) {
    const secrets = sealer.seal(makeSigningSecret(random), id);
    await tx.run(sql`UPDATE events_lanes SET secrets = ${secrets} WHERE subscription_id = ${id}`);
  }
  return signed.length;
}
