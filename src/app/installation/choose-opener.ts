import type { Opener } from '../../kernel/crypto/open-master-key.ts';
import { readKeyFile } from '../../kernel/crypto/read-key-file.ts';
import type { Random } from '../../kernel/random.ts';
import type { Config } from '../settings/all-settings.ts';

type OpeningSettings = Pick<Config['server'], 'secretKey' | 'databaseUrl' | 'dataDir'>;

/**
 * What opens the sealed secrets of this installation: the setting, or what its processes have in
 * common anyway and no copy of the database holds. On PostgreSQL that is the password of the database.
 */
export function chooseOpener(server: OpeningSettings, random: Random): Opener {
  const { secretKey, databaseUrl, dataDir } = server;
  if (secretKey !== undefined) return { secret: secretKey, isPassword: true };
  if (databaseUrl === undefined) {
    return { secret: readKeyFile(dataDir, random), isPassword: false };
  }
  return { secret: decodeURIComponent(new URL(databaseUrl).password), isPassword: true };
}
