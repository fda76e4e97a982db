import { openVault } from './open-vault.ts';
import type { Vault } from './vault.ts';
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
