import { hashSecret } from '../../../kernel/crypto/hash.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { drawText, type Random } from '../../../kernel/model/random.ts';
import type { Clock } from '../../../kernel/wait/clock.ts';
import type { AccountId } from '../../model/account.ts';
import { ensureOwner, findAccountByUsername } from '../../store/account-store.ts';
import { addSetUpSecret, setPassword } from '../../store/password-store.ts';
import type { Passwords } from './passwords.ts';

/** The one account that is there from the beginning, known by the same id to every process. */
export const ownerId = 'owner' as AccountId; // the owner's brand is given here alone

/** The page on which the owner chooses the first password. */
const setUpPath = '/account/set-up';

/** A week: long enough for a server that is started on a Friday. A restart gives a new link. */
const setUpLifetime = 7 * 24 * 60 * 60 * 1_000;

/**
 * Creates the owner's account and prepares its password. A password from the settings is set if it
 * differs from the stored one, which signs the owner out everywhere. If there is none and none was
 * ever chosen, returns a link with a one-time secret for whoever reads the server's output. Does nothing if
 * another owner has removed the account.
 */
export async function prepareOwner(options: {
  database: Database;
  passwords: Passwords;
  ownerPassword: string | undefined;
  publicUrl: URL;
  clock: Clock;
  random: Random;
}): Promise<string | undefined> {
  const { database, passwords, ownerPassword, publicUrl, clock, random } = options;
  await ensureOwner(database, ownerId, clock.now());
  const owner = await findAccountByUsername(database, 'owner');
  if (owner?.id !== ownerId) return undefined;
  if (ownerPassword !== undefined) {
    if (await passwords.verify(ownerPassword, owner.passwordHash)) return undefined;
    const passwordHash = await passwords.hash(ownerPassword);
    await database.transaction((tx) => setPassword(tx, { id: ownerId, passwordHash }));
    return undefined;
  }
  if (owner.passwordHash !== undefined) return undefined;
  const secret = drawText(random, 24);
  await addSetUpSecret(database, hashSecret(secret), clock.now() + setUpLifetime);
  const link = new URL(setUpPath, publicUrl);
  link.searchParams.set('secret', secret);
  return link.href;
}
