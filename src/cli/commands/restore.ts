import { type RestoredBackup, restoreBackup } from '../../app/backup/restore-backup.ts';
import { installationOf, installationSettings } from '../../app/installation/installation-of.ts';
import type { Command } from '../command.ts';
import { optionsOf, textFlags } from '../input/setting-options.ts';
import { UsageError } from '../input/usage-error.ts';
import { showProgress } from '../terminal.ts';

/** `tradewind restore`: restores a backup to the database that the settings name. */
export const restoreCommand: Command = {
  operands: '<file>',
  description:
    'Restores to the data directory or the PostgreSQL database that the settings name, whichever engine the backup came\nfrom. No server may run there. An existing database is replaced only with --overwrite.\n\n  tradewind restore /backups/tradewind-monday.db --data-dir /var/lib/tradewind\n  TRADEWIND_DATABASE_URL=postgres://… tradewind restore monday.db',
  options: {
    ...optionsOf(installationSettings),
    overwrite: { type: 'boolean', help: 'Replace an existing database.' },
    json: { type: 'boolean', help: 'Print as JSON.' },
  },
  async run({ operands: [file], flags, terminal }) {
    if (file === undefined) {
      throw new UsageError('Name the file to restore, as in: tradewind restore monday.db.');
    }
    const { environment, stdout, stderr } = terminal;
    const installation = installationOf({ environment, flags: textFlags(flags) });
    const restored = await showProgress(stderr, 'restoring', (onProgress) =>
      restoreBackup({ installation, file, mayOverwrite: flags.overwrite === true, onProgress }),
    );
    stdout.write(flags.json ? `${toJson(restored)}\n` : describe(restored));
    return 0;
  },
};

function toJson({ made, ...rest }: RestoredBackup): string {
  return JSON.stringify({ ...rest, made: new Date(made).toISOString() });
}

function describe({ rows, made, version, database }: RestoredBackup): string {
  return `Restored ${rows} rows to ${database}, from the backup of ${new Date(made).toISOString()} (version ${version}). Start the server with tradewind serve.\n`;
}
