import { openDefaultVault } from '../../authorization/client/index.ts';
import { vaultDirectory } from '../../authorization/index.ts';
import { giveUpRootFor } from '../../kernel/files/give-up-root.ts';

/**
 * The vault that the environment names. Root goes on as another user where the directory is theirs (N19): `sudo` may keep the home of
 * the user who called it, and `TRADEWIND_DATA_DIR` may name the data of a service.
 */
export function openOwnVault(environment: Readonly<Record<string, string | undefined>>) {
  giveUpRootFor(vaultDirectory(environment, process.platform));
  return openDefaultVault(environment);
}
