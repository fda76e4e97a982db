import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { readKeyFile } from '../../../kernel/crypto/read-key-file.ts';
import { drawText } from '../../../kernel/draw-text.ts';
import type { Random } from '../../../kernel/random.ts';
import type { Keyring } from './keyring.ts';

/**
 * The key of a vault: from the keyring, where it is made at the first call; or from a file in the
 * directory where there is no keyring that works. A directory that has the file stays with it. Does not
 * keep two processes from making two keys: the caller holds the lock.
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
    // Some keyrings take a secret and keep nothing.
    return (await keyring.get()) === made ? made : undefined;
  } catch {
    // Servers and containers have none, or a locked one: the file is the way out.
    return undefined;
  }
}
