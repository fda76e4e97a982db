import type { Database } from './database.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { dataFileIn } from './sqlite/data-file-in.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

export type OpenDatabaseOptions = {
  /** Where the embedded file lies; not touched when there is a `url`. */
  readonly dataDir: string;
  /** `postgres://…` instead of the embedded file. */
  readonly url?: string | undefined;
  /** Milliseconds within which PostgreSQL answers a statement. */
  readonly patienceMs?: number | undefined;
};

/** Opens PostgreSQL where a URL is given and the embedded file `tradewind.db` otherwise. */
export function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { dataDir, url, patienceMs } = options;
  return url === undefined ? openSqlite(dataFileIn(dataDir)) : openPostgres({ url, patienceMs });
}
