import type { Migration } from '../../kernel/database/migrate.ts';
import type { Random } from '../../kernel/model/random.ts';
import type { DataDirectory } from '../../kernel/process/data-directory.ts';
import type { Opener } from './master-key.ts';

/** Where a server keeps its data, and what opens its sealed secrets. */
export type Installation = {
  /** The path as it was given. Whoever opens files there enters it first. */
  readonly dataDir: string;
  /** PostgreSQL instead of the embedded file. */
  readonly databaseUrl: string | undefined;
  /** `TRADEWIND_SECRET_KEY`; if it is set, a backup holds no key. */
  readonly secretKey: string | undefined;
  /**
   * What opens the master key, from the settings or the data directory, which is needed only for the embedded file. May create the
   * key file.
   */
  readonly openerIn: (dataDir: DataDirectory | undefined) => Opener;
  readonly migrations: readonly Migration[];
  readonly version: string;
  readonly random: Random;
};

/** Progress of long work, for people. */
export type OnProgress = (text: string) => void;

export const percentOf = ({ copied, total }: { copied: number; total: number }): string =>
  `${total === 0 ? 100 : Math.floor((copied * 100) / total)} %`;
