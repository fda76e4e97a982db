import { enterDataDirectory } from '../process/data-directory.ts';
import type { Database } from './database.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { dataFileIn } from './sqlite/data-file.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

export type OpenDatabaseOptions = {
  /** Where the embedded file lies, which is entered here; not touched when there is a `url`. */
  readonly dataDir: string;
  /** `postgres://…` instead of the embedded file. */
  readonly url?: string | undefined;
  /** Milliseconds within which PostgreSQL answers a statement. */
  readonly patienceMs?: number | undefined;
  /** Leaves the permissions of an embedded file alone. */
  readonly keepsModes?: boolean;
};

/** Opens PostgreSQL where a URL is given and the embedded file `tradewind.db` otherwise. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { url, patienceMs, keepsModes = false } = options;
  if (url !== undefined) return openPostgres({ url, patienceMs });
  const dataDir = enterDataDirectory(options.dataDir, { make: true });
  return openSqlite(dataFileIn(dataDir), { keepsModes });
}
