import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SealError } from '../../../kernel/crypto/seal-error.ts';
import { createSealer, type Sealer } from '../../../kernel/crypto/sealer.ts';
import { hashSecret } from '../../../kernel/crypto/secret-hash.ts';
import { FileError } from '../../../kernel/files/file-error.ts';
import { readPrivateFile } from '../../../kernel/files/regular-file.ts';
import { drawHex } from '../../../kernel/random/draw-text.ts';
import { type Random, systemRandom } from '../../../kernel/random/random.ts';
import { type Keyring, openSystemKeyring } from './keyring.ts';
import { lockFile } from './lock-file.ts';
import { readVaultKey } from './read-vault-key.ts';
import type { Vault } from './vault.ts';

/**
 * Where {@link openVault} keeps its files and their key.
 *
 * @example
 * ```ts
 * import type { VaultOptions } from 'tradewind/client';
 *
 * export const withoutKeyring: VaultOptions = { directory: './vault', keyring: undefined };
 * ```
 */
export type VaultOptions = {
  /** Created if missing, accessible to its owner alone. */
  readonly directory: string;
  /** Where the key is kept; the system's keyring unless given, and `undefined` for none. */
  readonly keyring?: Keyring | undefined;
  readonly random?: Random;
};

/**
 * A vault on disk that several processes can share: one sealed file of mode 0600 for each entry. The
 * sealing key is in the system's keyring, or, if there is none, in a file of mode 0600 beside the entries.
 * The keyring holds the key and not the tokens because some keyrings take no more than 2,560 bytes, have
 * no lock and ask the person for every entry. A file that cannot be unsealed counts as missing.
 *
 * @example
 * ```ts
 * import { openVault } from 'tradewind/client';
 *
 * const vault = openVault({ directory: './vault', keyring: undefined });
 * await vault.set('greeting', 'hello');
 * console.log(await vault.get('greeting')); // hello
 * ```
 */
export function openVault(options: VaultOptions): Required<Vault> {
  const { directory, random = systemRandom } = options;
  const keyring = 'keyring' in options ? options.keyring : openSystemKeyring();
  const pathOf = (name: string) => join(directory, hashSecret(name).slice(0, 32));
  let sealer: Promise<Sealer> | undefined;

  async function openSealer(): Promise<Sealer> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // Under the lock, so that two processes that start at the same time do not each make a key.
    const masterKey = await lockFile(join(directory, 'key'), () =>
      readVaultKey({ directory, keyring, random }),
    );
    return createSealer({ masterKey, purpose: 'client vault', random });
  }

  function getSealer(): Promise<Sealer> {
    sealer ??= openSealer();
    return sealer;
  }

  return {
    async get(key) {
      const sealed = readEntry(pathOf(key));
      if (sealed === undefined) return undefined;
      try {
        return (await getSealer()).open(sealed, key);
      } catch (error) {
        if (error instanceof SealError) return undefined;
        throw error;
      }
    },
    async set(key, value) {
      const sealed = (await getSealer()).seal(value, key);
      const path = pathOf(key);
      const draft = `${path}.${drawHex(random, 8)}`;
      // A reader sees the old file or the new one, and a crash leaves one of them whole.
      await writeFile(draft, sealed, { mode: 0o600, flag: 'wx', flush: true });
      await rename(draft, path);
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    async lock(name, work, signal) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      return lockFile(pathOf(name), work, { signal });
    },
  };
}

/** Throws for a link or pipe in the place of the file; whatever else cannot be read counts as missing. */
function readEntry(path: string): string | undefined {
  try {
    return readPrivateFile(path);
  } catch (error) {
    if (error instanceof FileError) throw error;
    return undefined;
  }
}
