import { type WrittenBackup, writeBackup } from '../../app/backup/write-backup.ts';
import { installationOf, installationSettings } from '../../app/installation/installation-of.ts';
import { systemClock } from '../../kernel/wait/clock.ts';
import type { Command } from '../command.ts';
import { optionsOf, textFlags } from '../input/setting-options.ts';
import { UsageError } from '../input/usage-error.ts';
import { showProgress } from '../terminal.ts';

/** `tradewind backup`: writes an installation to one file, also while its server runs. */
export const backupCommand: Command = {
  operands: '<file>',
  description:
    'Reads the data directory, or PostgreSQL, with the same settings as tradewind serve, on the same machine. The server\nmay keep running. The file is checked before it appears, and only its owner can read it. It holds the key to its\nsecrets, unless the server has a TRADEWIND_SECRET_KEY: back up that value yourself.\n\n  tradewind backup /backups/tradewind-monday.db\n  tradewind backup latest.db --overwrite --json',
  options: {
    ...optionsOf(installationSettings),
    overwrite: { type: 'boolean', help: 'Replace an existing file.' },
    json: { type: 'boolean', help: 'Print as JSON.' },
  },
  async run({ operands: [file], flags, terminal }) {
    if (file === undefined) {
      throw new UsageError('Name the file to write, as in: tradewind backup monday.db.');
    }
    const { environment, stdout, stderr } = terminal;
    const installation = installationOf({ environment, flags: textFlags(flags) });
    const written = await showProgress(stderr, 'backing up', (onProgress) =>
      writeBackup({
        installation,
        file,
        mayOverwrite: flags.overwrite === true,
        clock: systemClock,
        onProgress,
      }),
    );
    stdout.write(flags.json ? `${toJson(written)}\n` : describe(written));
    return 0;
  },
};

function toJson({ made, ...rest }: WrittenBackup): string {
  return JSON.stringify({ ...rest, made: new Date(made).toISOString() });
}

function describe({ file, bytes, rows, hasKey }: WrittenBackup): string {
  const key = hasKey
    ? 'It holds the key to its secrets: keep it as safe as the server.'
    : 'Its secrets open only with the TRADEWIND_SECRET_KEY of the server: keep that value elsewhere.';
  return `Wrote ${file}: ${rows} rows, ${Math.ceil(bytes / 1024)} KiB, opened and checked.\n${key}\n`;
}
