import type { Opener } from '../../kernel/crypto/open-master-key.ts';
import { readKeyFile } from '../../kernel/crypto/read-key-file.ts';
import type { DataDirectory } from '../../kernel/files/data-directory.ts';
import type { Random } from '../../kernel/random/random.ts';
import type { Config } from '../settings/all-settings.ts';

type OpeningSettings = Pick<Config['server'], 'secretKey' | 'databaseUrl'> & {
  /** Needed only without PostgreSQL. */
  readonly dataDir: DataDirectory | undefined;
};

/**
 * The secret that opens what this installation has sealed. It is the setting, or else something that all its processes
 * have and no copy of the database holds: the password of PostgreSQL, or a file in the data directory.
 */
export function chooseOpener(server: OpeningSettings, random: Random): Opener {
  const { secretKey, databaseUrl, dataDir } = server;
  if (secretKey !== undefined) return { secret: secretKey, isPassword: true };
  if (databaseUrl !== undefined) {
    return { secret: decodeURIComponent(new URL(databaseUrl).password), isPassword: true };
  }
  if (dataDir === undefined)
    throw new Error('The key file is in a data directory, and none was entered.');
  return { secret: readKeyFile(dataDir, random), isPassword: false };
}
