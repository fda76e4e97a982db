import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { keyFileIn } from '../crypto/read-key-file.ts';
import { DatabaseError } from '../database/database-error.ts';
import { sql } from '../database/sql.ts';
import { dataFileIn } from '../database/sqlite/data-file-in.ts';
import { keepToOwner } from '../database/sqlite/keep-to-owner.ts';
import { lockDataFile } from '../database/sqlite/lock-data-file.ts';
import { openSqliteConnection } from '../database/sqlite/sqlite-connection.ts';
import type { DataDirectory } from '../files/data-directory.ts';
import { makePrivateFile } from '../files/regular-file.ts';
import { drawHex } from '../random/draw-text.ts';
import { BackupError } from './backup-error.ts';
import type { Installation } from './installation.ts';
import type { RestoreTarget } from './restore-target.ts';

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
