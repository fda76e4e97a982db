import { copyRows } from '../database/copy-rows.ts';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { openPostgres } from '../database/postgres/open-postgres.ts';
import { sql } from '../database/sql.ts';
import { openSqlite } from '../database/sqlite/open-sqlite.ts';
import { BackupError } from './backup-error.ts';
import type { Installation, OnProgress } from './installation.ts';
import { refuseOtherVersion } from './refuse-other-version.ts';
import type { RestoreTarget } from './restore-target.ts';

/** A database of PostgreSQL. Throws `SERVER_RUNS` while another process has it open, and `WOULD_OVERWRITE`. */
export async function openPostgresTarget(options: {
  readonly installation: Installation;
  readonly mayOverwrite: boolean;
  readonly onProgress: OnProgress;
}): Promise<RestoreTarget> {
  const { installation, mayOverwrite, onProgress } = options;
  const { databaseUrl = '', migrations, openerIn } = installation;
  const database = await openPostgres({ url: databaseUrl });
  try {
    await refuseServers(database);
    if (!mayOverwrite) await refuseExistingTables(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    database: 'PostgreSQL',
    opener: openerIn(undefined),
    async replaceBy(copy) {
      const source = await openSqlite(copy);
      try {
        // A backup of an older version is migrated first, as a server does at its start.
        await migrate(source, migrations);
        await migrate(database, migrations);
        await refuseOtherVersion(database, source);
        await refuseServers(database);
        await copyRows({
          from: source,
          to: database,
          onRows: (rows) => onProgress(`writing to PostgreSQL, ${rows} rows`),
        });
      } finally {
        await source.close();
      }
    },
    close: () => database.close(),
  };
}

/** Consecutive queries share one connection, so every other connection belongs to another process. */
async function refuseServers(database: Database): Promise<void> {
  const others = await database.first<{ count: number }>(sql`
    SELECT COUNT(*) AS count FROM pg_stat_activity
    WHERE application_name = 'tradewind' AND datname = current_database() AND pid <> pg_backend_pid()`);
  if (others?.count === 0) return;
  throw new BackupError(
    'SERVER_RUNS',
    `Servers use this database (${others?.count} connections): stop them first.`,
  );
}

async function refuseExistingTables(database: Database): Promise<void> {
  const { name } =
    (await database.first<{ name: string | null }>(sql`
      SELECT CAST(to_regclass('migrations') AS TEXT) AS name`)) ?? {};
  if (!name) return;
  throw new BackupError(
    'WOULD_OVERWRITE',
    'PostgreSQL has the tables of a Tradewind already: back them up and add --overwrite, or name an empty database.',
  );
}
