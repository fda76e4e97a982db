import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { readKeyFile } from '../../../kernel/crypto/read-key-file.ts';
import { drawText } from '../../../kernel/random/draw-text.ts';
import type { Random } from '../../../kernel/random/random.ts';
import type { Keyring } from './keyring.ts';

/**
 * The key of a vault: from the keyring, in which the first call stores it, or from a file in the
 * directory if no keyring works. A directory that has the file keeps using it. Does not prevent two
 * processes from making two keys: the caller holds the lock.
 */
export async function readVaultKey(options: {
  directory: string;
  keyring: Keyring | undefined;
  random: Random;
}): Promise<Uint8Array> {
  const { directory, keyring, random } = options;
  const hasFile = await access(join(directory, 'master.key')).then(
    () => true,
    () => false,
  );
  const secret = hasFile || keyring === undefined ? undefined : await fromKeyring(keyring, random);
  return Buffer.from(secret ?? readKeyFile(directory, random), 'base64url');
}

async function fromKeyring(keyring: Keyring, random: Random): Promise<string | undefined> {
  try {
    const known = await keyring.get();
    if (known !== undefined) return known;
    const made = drawText(random, 32);
    await keyring.set(made);
    // Some keyrings accept a secret without storing it.
    return (await keyring.get()) === made ? made : undefined;
  } catch {
    // Servers and containers have no keyring or a locked one, so the file is used.
    return undefined;
  }
}
