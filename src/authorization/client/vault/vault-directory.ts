import { homedir } from 'node:os';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the vault of this user is: in `TRADEWIND_DATA_DIR` where it is set, else in the user's configuration folder. */
export function vaultDirectory(environment: Environment, platform: NodeJS.Platform): string {
  const { TRADEWIND_DATA_DIR, XDG_CONFIG_HOME, APPDATA, HOME = homedir() } = environment;
  if (TRADEWIND_DATA_DIR) return join(TRADEWIND_DATA_DIR, 'client');
  if (platform === 'win32' && APPDATA) return join(APPDATA, 'tradewind');
  if (platform === 'darwin') return join(HOME, 'Library', 'Application Support', 'tradewind');
  return join(XDG_CONFIG_HOME || join(HOME, '.config'), 'tradewind');
}
