import { homedir } from 'node:os';
import { join } from 'node:path';
import { openVault } from './open-vault.ts';
import type { Vault } from './vault.ts';

type Environment = Readonly<Record<string, string | undefined>>;

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

export function vaultDirectory(environment: Environment, platform: NodeJS.Platform): string {
  const { TRADEWIND_DATA_DIR, XDG_CONFIG_HOME, APPDATA, HOME = homedir() } = environment;
  if (TRADEWIND_DATA_DIR) return join(TRADEWIND_DATA_DIR, 'client');
  if (platform === 'win32' && APPDATA) return join(APPDATA, 'tradewind');
  if (platform === 'darwin') return join(HOME, 'Library', 'Application Support', 'tradewind');
  return join(XDG_CONFIG_HOME || join(HOME, '.config'), 'tradewind');
}
