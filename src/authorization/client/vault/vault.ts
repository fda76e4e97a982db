import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashSecret } from '../../../kernel/crypto/hash.ts';
import { readKeyFile } from '../../../kernel/crypto/key-file.ts';
import { createSealer, SealError, type Sealer } from '../../../kernel/crypto/sealer.ts';
import { drawHex, drawText, type Random, systemRandom } from '../../../kernel/model/random.ts';
import { FileError, readPrivateFile } from '../../../kernel/process/regular-file.ts';
import { lockFile } from './lock-file.ts';
import { type Environment, vaultDirectory } from './vault-directory.ts';

/**
 * The vault of this user: in `TRADEWIND_DATA_DIR` where it is set, else in the configuration folder of the
 * user. `TRADEWIND_KEYRING=off` leaves the keyring of the system alone.
 *
 * @example
 * ```ts
 * import { createAuthorizedFetch, openDefaultVault } from 'tradewind/client';
 *
 * export const fetchAuthorized = await createAuthorizedFetch({
 *   serverUrl: 'https://api.example.com/mcp',
 *   vault: openDefaultVault(),
 * });
 * ```
 */
export function openDefaultVault(
  environment: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): Required<Vault> {
  const directory = vaultDirectory(environment, platform);
  return openVault(
    environment.TRADEWIND_KEYRING === 'off' ? { directory, keyring: undefined } : { directory },
  );
}

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

/**
 * Where the client keeps what must outlive a request: tokens, registrations, results of discovery. A `Map`
 * is a vault that lasts as long as the process; `openVault` opens one on disk.
 *
 * @example
 * ```ts
 * import { createAuthorizedFetch, type Vault } from 'tradewind/client';
 *
 * const forgetful: Vault = new Map<string, string>();
 * export const fetchAuthorized = await createAuthorizedFetch({
 *   serverUrl: 'https://api.example.com/mcp',
 *   vault: forgetful,
 * });
 * ```
 */
export type Vault = {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
  /**
   * Runs `work` under a lock of this name, which excludes everyone else who shares the vault. A vault that
   * several processes share must have it, so that they do not spend one refresh token twice.
   */
  lock?<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};

/**
 * One secret in the keyring of the system. Both functions reject if the keyring does not work.
 *
 * @example
 * ```ts
 * import { type Keyring, openVault } from 'tradewind/client';
 *
 * let kept: string | undefined;
 * const inMemory: Keyring = {
 *   get: async () => kept,
 *   set: async (secret) => {
 *     kept = secret;
 *   },
 * };
 * export const vault = openVault({ directory: './vault', keyring: inMemory });
 * ```
 */
export type Keyring = {
  get(): Promise<string | undefined>;
  set(secret: string): Promise<void>;
};

/** The entry of the client in the keyring of the system. The library is loaded at the first use. */
function openSystemKeyring(): Keyring {
  const open = async () => {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    return new AsyncEntry('tradewind', 'client vault');
  };
  return {
    get: async () => (await (await open()).getPassword()) ?? undefined,
    set: async (secret) => (await open()).setPassword(secret),
  };
}

/**
 * The key of a vault: from the keyring, in which the first call stores it, or from a file in the
 * directory if no keyring works. A directory that has the file keeps using it. Does not prevent two
 * processes from making two keys: the caller holds the lock.
 */
async function readVaultKey(options: {
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
