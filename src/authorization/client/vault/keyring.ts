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
export function openSystemKeyring(): Keyring {
  const open = async () => {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    return new AsyncEntry('tradewind', 'client vault');
  };
  return {
    get: async () => (await (await open()).getPassword()) ?? undefined,
    set: async (secret) => (await open()).setPassword(secret),
  };
}
