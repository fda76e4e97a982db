import { authorizationMigrations } from '../../authorization/index.ts';
import { contextMigrations } from '../../context/index.ts';
import { eventsMigrations } from '../../events/index.ts';
import { readKeyFile } from '../../kernel/crypto/key-file.ts';
import { kernelMigrations } from '../../kernel/database/kernel-migrations.ts';
import type { Migration } from '../../kernel/database/migrate.ts';
import { type Random, systemRandom } from '../../kernel/model/random.ts';
import type { DataDirectory } from '../../kernel/process/data-directory.ts';
import { readSettings, type SettingSources } from '../../kernel/process/settings.ts';
import { swapMigrations } from '../../swap/index.ts';
import type { Config } from '../settings/all-settings.ts';
import { ConfigError } from '../settings/load-config.ts';
import { serverSettings } from '../settings/server-settings.ts';
import { version } from '../version.ts';
import type { Installation } from './installation.ts';
import type { Opener } from './master-key.ts';

const { dataDir, databaseUrl, secretKey } = serverSettings;

/** The settings that say where an installation is and what opens it. */
export const installationSettings = { dataDir, databaseUrl, secretKey };

/** The installation that the settings name, whatever else they say. Throws {@link ConfigError}. */
export function installationOf(sources: SettingSources): Installation {
  const { values, problems } = readSettings(installationSettings, sources);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    ...values,
    openerIn: (dataDir) => chooseOpener({ ...values, dataDir }, systemRandom),
    migrations,
    version,
    random: systemRandom,
  };
}

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

/** Every migration of the product, in the order they are applied, whichever services a process runs. */
export const migrations: readonly Migration[] = [
  ...kernelMigrations,
  ...swapMigrations,
  ...authorizationMigrations,
  ...eventsMigrations,
  ...contextMigrations,
];
