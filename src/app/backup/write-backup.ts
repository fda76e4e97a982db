import { closeSync, existsSync, fsyncSync, openSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { keyFileIn } from '../../kernel/crypto/key-file.ts';
import { DatabaseError, type Queries } from '../../kernel/database/database.ts';
import { migrate } from '../../kernel/database/migrate.ts';
import { openPostgres } from '../../kernel/database/postgres/open-postgres.ts';
import { dataFileIn, keepToOwner } from '../../kernel/database/sqlite/data-file.ts';
import { openSqlite } from '../../kernel/database/sqlite/open-sqlite.ts';
import { toSqliteError } from '../../kernel/database/sqlite/sqlite-connection.ts';
import { drawText } from '../../kernel/model/random.ts';
import { type DataDirectory, enterDataDirectory } from '../../kernel/process/data-directory.ts';
import type { Clock } from '../../kernel/wait/clock.ts';
import { type Installation, type OnProgress, percentOf } from '../installation/installation.ts';
import { findMasterKey, openMasterKey, resealMasterKey } from '../installation/master-key.ts';
import { type BackupManifest, writeManifest } from './backup-manifest.ts';
import { BackupError, chooseBackupPlace, wouldOverwrite } from './backup-place.ts';
import { copyRows } from './copy-rows.ts';
import { digestRows, refuseOtherVersion, withWholeDatabase } from './whole-database.ts';

export type WrittenBackup = Omit<BackupManifest, 'key' | 'digest'> & {
  readonly file: string;
  readonly bytes: number;
  readonly rows: number;
  /** Whether the file opens its own secrets; otherwise `TRADEWIND_SECRET_KEY` does. */
  readonly hasKey: boolean;
};

type WriteBackupOptions = {
  readonly installation: Installation;
  readonly file: string;
  readonly mayOverwrite: boolean;
  readonly clock: Pick<Clock, 'now'>;
  readonly onProgress: OnProgress;
};

/**
 * Writes a snapshot of a server's data to one file that only its owner can read: the database of either engine as an
 * SQLite file and, unless the operator keeps it in `TRADEWIND_SECRET_KEY`, the key that opens its secrets. The
 * server may run meanwhile. The file appears only after the copy was checked and its secrets were opened. What NATS
 * holds is not part of it. Root is given up for the owner of the data directory (N19). Throws {@link BackupError}.
 */
export async function writeBackup(options: WriteBackupOptions): Promise<WrittenBackup> {
  const { installation, mayOverwrite, clock, onProgress } = options;
  const file = resolve(options.file);
  refuseOwnFiles(file, installation);
  if (!mayOverwrite && existsSync(file)) throw wouldOverwrite(file);
  const isEmbedded = installation.databaseUrl === undefined;
  const named = isEmbedded ? installation.dataDir : undefined;
  const place = chooseBackupPlace({ file, mayOverwrite, dataDir: named });
  try {
    const dataDir = named === undefined ? undefined : enterDataDirectory(named);
    if (dataDir !== undefined) refuseNothing(dataDir);
    const draft = place.makeDraft(dataDir);
    const made = clock.now();
    await copyDatabase(installation, { dataDir, to: draft, onProgress });
    onProgress('checking the copy');
    const engine = isEmbedded ? 'sqlite' : 'postgres';
    const { rows, hasKey } = await withWholeDatabase(draft, installation, async (queries) => {
      const key = await sealUnderOwnKey(queries, installation, dataDir);
      const { rows, digest } = await digestRows(queries);
      await writeManifest(queries, { version: installation.version, made, engine, key, digest });
      return { rows, hasKey: key !== undefined };
    });
    syncFile(draft);
    const bytes = await place.take(draft);
    return { file, bytes, rows, hasKey, made, engine, version: installation.version };
  } finally {
    await place.close();
  }
}

async function copyDatabase(
  { databaseUrl = '', migrations }: Installation,
  {
    dataDir,
    to,
    onProgress,
  }: {
    /** That of the embedded file. */
    readonly dataDir: DataDirectory | undefined;
    readonly to: string;
    readonly onProgress: OnProgress;
  },
): Promise<void> {
  if (dataDir !== undefined) {
    await copyDataFile(dataFileIn(dataDir), to, (progress) =>
      onProgress(`copying the database, ${percentOf(progress)}`),
    );
    return;
  }
  const from = await openPostgres({ url: databaseUrl });
  try {
    const target = await openSqlite(to);
    try {
      await migrate(target, migrations);
      await refuseOtherVersion(from, target);
      await copyRows({
        from,
        to: target,
        onRows: (rows) => onProgress(`copying the database, ${rows} rows`),
      });
    } finally {
      await target.close();
    }
  } finally {
    await from.close();
  }
}

/**
 * Seals the master key of the copy under a key of the backup's own, and returns that key. So whoever restores the
 * backup need not know what opens the master key in the installation, such as the password of PostgreSQL.
 */
async function sealUnderOwnKey(
  database: Queries,
  { secretKey, openerIn, random }: Installation,
  dataDir: DataDirectory | undefined,
): Promise<string | undefined> {
  if ((await findMasterKey(database)) === undefined) return undefined;
  if (secretKey !== undefined) {
    // A copy whose secrets do not open would be worthless.
    await openMasterKey({ database, opener: openerIn(dataDir), random });
    return undefined;
  }
  if (dataDir !== undefined && !existsSync(keyFileIn(dataDir))) {
    throw new BackupError(
      'KEY_MISSING',
      `The key file master.key is missing in ${dataDir}: without it nothing opens the secrets in the database. Put it back, or set the TRADEWIND_SECRET_KEY that the server runs with.`,
    );
  }
  const key = drawText(random, 32);
  await resealMasterKey({
    database,
    from: openerIn(dataDir),
    to: { secret: key, isPassword: false },
    random,
  });
  return key;
}

/** A server would go on writing to the replaced file and lose what it writes. */
function refuseOwnFiles(file: string, { dataDir }: Installation): void {
  const database = dataFileIn(dataDir);
  const beside = ['-wal', '-shm', '-journal', '.lock'].map((ending) => `${database}${ending}`);
  const own = [database, ...beside, keyFileIn(dataDir)].map((path) => toRealPath(resolve(path)));
  if (!own.includes(toRealPath(file))) return;
  throw new BackupError(
    'WOULD_OVERWRITE',
    `${file} is a file of the server itself, which no backup may replace: name another file, best on another disk.`,
  );
}

/** The path with symbolic links resolved; the file itself may be missing. */
function toRealPath(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  const folder = dirname(file);
  return existsSync(folder) ? join(realpathSync(folder), basename(file)) : file;
}

function refuseNothing(dataDir: DataDirectory): void {
  if (existsSync(dataFileIn(dataDir))) return;
  throw new BackupError(
    'NO_DATABASE',
    `There is no database in ${resolve(dataDir)}: name the data directory of the server with --data-dir or TRADEWIND_DATA_DIR, or its PostgreSQL with TRADEWIND_DATABASE_URL.`,
  );
}

type CopyProgress = (done: { readonly copied: number; readonly total: number }) => void;

/** Pages of 4 KiB. Between two steps other work uses the thread, and progress is reported. */
const pagesInStep = 2_000;
const foreignLockPatience = 5_000;

/**
 * Copies a snapshot of an embedded database, including its write-ahead log, to a file that does not exist yet.
 * The process that has it open can go on writing and is not blocked, but its log grows until the copy is done.
 * Does not check what it copies. Throws `UNAVAILABLE`.
 */
async function copyDataFile(
  from: string,
  to: string,
  onProgress: CopyProgress = () => {},
): Promise<void> {
  try {
    keepToOwner(to);
    const source = new DatabaseSync(from, { readOnly: true, timeout: foreignLockPatience });
    try {
      // The first read of a transaction fixes what it sees. Without one, each write of another process would
      // restart the copy.
      source.exec('BEGIN');
      source.prepare('SELECT COUNT(*) FROM sqlite_schema').get();
      await backup(source, to, {
        rate: pagesInStep,
        progress: ({ totalPages, remainingPages }) =>
          onProgress({ copied: totalPages - remainingPages, total: totalPages }),
      });
    } finally {
      source.close();
    }
    syncFile(to);
  } catch (error) {
    throw explain(error, from);
  }
}

function explain(error: unknown, from: string): Error {
  const known = toSqliteError(error);
  if (known instanceof DatabaseError) return known;
  return new DatabaseError('UNAVAILABLE', `${from} could not be copied: ${known.message}`, {
    cause: error,
  });
}

/** Waits until what was written to a file is on the disk. */
function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
