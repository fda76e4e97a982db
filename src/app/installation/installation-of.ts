import type { Installation } from '../../kernel/backup/installation.ts';
import { readSettings, type SettingSources } from '../../kernel/config/read-settings.ts';
import { systemRandom } from '../../kernel/random/random.ts';
import { ConfigError } from '../settings/load-config.ts';
import { serverSettings } from '../settings/server-settings.ts';
import { version } from '../version.ts';
import { chooseOpener } from './choose-opener.ts';
import { migrations } from './migrations.ts';

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
