import { randomBytes } from 'node:crypto';
import { UsageError } from '../input/usage-error.ts';
import { openOwnVault } from '../server/open-own-vault.ts';

const key = 'tradewind forward secret';

/**
 * The secret that forwarded events are signed with: the given one, or one that is made once for this user and
 * kept, so that a receiver is set up once (T8). Throws `UsageError` for a malformed secret.
 */
export async function forwardSecret(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if (given !== undefined) {
    if (/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(given)) return given;
    throw new UsageError('The secret must be whsec_ followed by the base64 of 24 to 64 bytes.');
  }
  const vault = openOwnVault(environment);
  return vault.lock(key, async () => {
    const kept = await vault.get(key);
    if (kept !== undefined) return kept;
    const made = `whsec_${randomBytes(32).toString('base64')}`;
    await vault.set(key, made);
    return made;
  });
}
