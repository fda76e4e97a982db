import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { keyFileIn } from '../../kernel/crypto/key-file.ts';
import { type Database, DatabaseError } from '../../kernel/database/database.ts';
import { migrate } from '../../kernel/database/migrate.ts';
import { openPostgres } from '../../kernel/database/postgres/open-postgres.ts';
import { sql } from '../../kernel/database/sql.ts';
import { dataFileIn, keepToOwner, lockDataFile } from '../../kernel/database/sqlite/data-file.ts';
import { openSqlite } from '../../kernel/database/sqlite/open-sqlite.ts';
import { openSqliteConnection } from '../../kernel/database/sqlite/sqlite-connection.ts';
import { drawHex } from '../../kernel/model/random.ts';
import type { DataDirectory } from '../../kernel/process/data-directory.ts';
import { makePrivateFile } from '../../kernel/process/regular-file.ts';
import type { Installation, OnProgress } from '../installation/installation.ts';
import type { Opener } from '../installation/master-key.ts';
import { BackupError } from './backup-place.ts';
import { copyRows } from './copy-rows.ts';
import { refuseOtherVersion } from './whole-database.ts';

/** Where rows are restored to. Opened only if that is allowed; `close` releases it. */
export type RestoreTarget = {
  readonly database: string;
  /** What will open the master key there; absent if the backup's own key is restored with it. */
  readonly opener: Opener | undefined;
  /** Replaces the database by the copy, which is on the same disk as an embedded file. */
  replaceBy(copy: string, key: string | undefined): Promise<void>;
  close(): Promise<void>;
};

/** Locks the embedded file of a data directory. Throws `IN_USE` while a server uses it, and `WOULD_OVERWRITE`. */
export async function openFileTarget(options: {
  readonly installation: Installation;
  readonly dataDir: DataDirectory;
  readonly mayOverwrite: boolean;
}): Promise<RestoreTarget> {
  const { installation, dataDir, mayOverwrite } = options;
  const { secretKey, random } = installation;
  const path = dataFileIn(dataDir);
  const keyFile = keyFileIn(dataDir);
  keepToOwner(`${path}.lock`);
  const unlock = lock(path);
  try {
    if (!mayOverwrite) refuseExistingFile(path);
  } catch (error) {
    unlock();
    throw error;
  }
  return {
    database: `embedded, in ${resolve(dataDir)}`,
    opener: secretKey === undefined ? undefined : { secret: secretKey, isPassword: true },
    async replaceBy(copy, key) {
      emptyLog(path);
      const bringsKey = secretKey === undefined && key !== undefined;
      const newKey = `${keyFile}.${drawHex(random, 8)}`;
      try {
        if (bringsKey) makePrivateFile(newKey, key);
        // If the process dies here, the old database with its key is still in place, or the restore can be repeated.
        renameSync(copy, path);
        if (bringsKey) renameSync(newKey, keyFile);
      } finally {
        rmSync(newKey, { force: true });
      }
    },
    close: async () => unlock(),
  };
}

/**
 * Checkpoints the write-ahead log of the old file into that file and removes it: SQLite would take it for the log of the
 * new file. If the old file cannot be opened any more, the log is only removed.
 */
function emptyLog(path: string): void {
  if (existsSync(path)) {
    try {
      const connection = openSqliteConnection(path);
      try {
        connection.first(sql`PRAGMA wal_checkpoint(TRUNCATE)`);
      } finally {
        connection.close();
      }
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
    }
  }
  for (const ending of ['-wal', '-shm', '-journal']) rmSync(`${path}${ending}`, { force: true });
}

function lock(path: string): () => void {
  try {
    return lockDataFile(path);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== 'IN_USE') throw error;
    const message = `A server uses ${resolve(dirname(path))}: stop it, then restore.`;
    throw new DatabaseError('IN_USE', message, { cause: error });
  }
}

function refuseExistingFile(path: string): void {
  if (!existsSync(path) || statSync(path).size === 0) return;
  throw new BackupError(
    'WOULD_OVERWRITE',
    `There is a database already, ${resolve(path)}: back it up and add --overwrite, or name an empty data directory.`,
  );
}

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
