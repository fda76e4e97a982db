import type { Queries } from '../database/database.ts';
import type { Random } from '../random/random.ts';
import { type Opener, openMasterKey, resealMasterKey } from './open-master-key.ts';
import { SealError } from './seal-error.ts';

/**
 * Reseals the master key under `to`, with whichever of `candidates` opens it (T2). Returns the name of that one, or
 * `already` if `to` opens it. Sealed secrets and running servers are not affected. Throws `NOT_OPENED` where none
 * opens it.
 */
export async function resealSecrets(options: {
  readonly database: Queries;
  readonly to: Opener;
  readonly candidates: readonly { readonly name: string; readonly opener: Opener }[];
  readonly random: Random;
}): Promise<string> {
  const { database, to, candidates, random } = options;
  if (await opens(to)) return 'already';
  for (const { name, opener } of candidates) {
    if (!(await opens(opener))) continue;
    await resealMasterKey({ database, from: opener, to, random });
    return name;
  }
  const tried = ['the settings', ...candidates.map(({ name }) => name)].join(', ');
  throw new SealError(
    'NOT_OPENED',
    `The stored secrets do not open (tried: ${tried}). Set TRADEWIND_PREVIOUS_SECRET_KEY to the TRADEWIND_SECRET_KEY, or to the password of PostgreSQL, that the server had before; or restore a backup; or discard the secrets with --discard.`,
  );

  async function opens(opener: Opener): Promise<boolean> {
    try {
      await openMasterKey({ database, opener, random });
      return true;
    } catch (error) {
      if (error instanceof SealError) return false;
      throw error;
    }
  }
}
