import {
  closeSync,
  createReadStream,
  createWriteStream,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { findMasterKey } from '../crypto/master-key-store.ts';
import { openMasterKey, resealMasterKey } from '../crypto/open-master-key.ts';
import type { Queries } from '../database/database.ts';
import { DatabaseError } from '../database/database-error.ts';
import { enterDataDirectory } from '../files/data-directory.ts';
import { ownerToBecome } from '../files/give-up-root.ts';
import { BackupError } from './backup-error.ts';
import { type BackupManifest, takeManifest } from './backup-manifest.ts';
import { type Installation, type OnProgress, percentOf } from './installation.ts';
import { openBackupFile } from './open-backup-file.ts';
import { openFileTarget } from './open-file-target.ts';
import { openPostgresTarget } from './open-postgres-target.ts';
import type { RestoreTarget } from './restore-target.ts';
import { digestRows, withWholeDatabase } from './whole-database.ts';

export type RestoredBackup = Omit<BackupManifest, 'key' | 'digest'> & {
  readonly rows: number;
  /** What holds the rows now, for people. */
  readonly database: string;
};

export type RestoreBackupOptions = {
  readonly installation: Installation;
  readonly file: string;
  readonly mayOverwrite: boolean;
  readonly onProgress: OnProgress;
};

/**
 * Replaces the data of an installation by a backup, on either engine, whichever one the backup was made on. Refuses
 * to replace a database without permission, and always while a server uses it. Before it changes anything, it
 * checks a copy of the backup and reseals its master key for this installation. Gives up root for the owner of the data
 * directory, after it has opened the backup (N19). Throws {@link BackupError}.
 */
export async function restoreBackup(options: RestoreBackupOptions): Promise<RestoredBackup> {
  const { installation, file, mayOverwrite, onProgress } = options;
  const isEmbedded = installation.databaseUrl === undefined;
  const source = openBackupFile(file);
  try {
    const dataDir = isEmbedded
      ? enterDataDirectory(installation.dataDir, { make: true })
      : undefined;
    if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const target =
      dataDir === undefined
        ? await openPostgresTarget({ installation, mayOverwrite, onProgress })
        : await openFileTarget({ installation, dataDir, mayOverwrite });
    const draftDir = mkdtempSync(join(dataDir ?? requireOwnTmp(), 'restoring-'));
    const draft = join(draftDir, 'backup.db');
    try {
      await copyOpened(source, draft, onProgress);
      const { manifest, rows } = await prepare({ file, draft, target, installation, onProgress });
      onProgress('putting it in place');
      await target.replaceBy(draft, manifest.key);
      const { version, made, engine } = manifest;
      return { version, made, engine, rows, database: target.database };
    } finally {
      rmSync(draftDir, { recursive: true, force: true });
      await target.close();
    }
  } finally {
    closeSync(source);
  }
}

/** The folder for temporary files, unless root would write into that of another user. */
function requireOwnTmp(): string {
  const path = tmpdir();
  const owner = ownerToBecome(join(path, 'restoring'));
  if (owner === undefined) return path;
  throw new BackupError(
    'NOT_WRITABLE',
    `The folder for temporary files, ${path}, can be changed by user ${owner.uid}, and root writes nothing there: set TMPDIR to another.`,
  );
}

/** Copies the bytes, since SQLite takes a path, and the path of the backup may be closed to whoever this process has become. */
async function copyOpened(source: number, draft: string, onProgress: OnProgress): Promise<void> {
  const total = fstatSync(source).size;
  const bytes = createReadStream('', { fd: source, autoClose: false, start: 0, end: total });
  let copied = 0;
  bytes.on('data', (chunk) => {
    copied += chunk.length;
    onProgress(`reading the backup, ${percentOf({ copied, total })}`);
  });
  await pipeline(bytes, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
}

/** Checks the copy in `draft` and makes it a database for the target. */
async function prepare(given: {
  file: string;
  draft: string;
  target: Pick<RestoreTarget, 'opener'>;
  installation: Installation;
  onProgress: OnProgress;
}): Promise<{ manifest: BackupManifest; rows: number }> {
  const { file, draft, target, installation, onProgress } = given;
  try {
    onProgress('checking the backup');
    return await withWholeDatabase(draft, installation, async (queries) => {
      const manifest = await takeManifest(queries);
      if (manifest === undefined) throw notOurs(file);
      const { rows, digest } = await digestRows(queries);
      if (manifest.digest !== undefined && manifest.digest !== digest) throw changed(file);
      await fitKeys(queries, { manifest, target, installation });
      return { manifest, rows };
    });
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new BackupError(
      'NOT_A_BACKUP',
      `${resolve(file)} is not a whole backup (${error.message})`,
      { cause: error },
    );
  }
}

async function fitKeys(
  database: Queries,
  given: {
    manifest: BackupManifest;
    target: Pick<RestoreTarget, 'opener'>;
    installation: Installation;
  },
): Promise<void> {
  const { manifest, target, installation } = given;
  const { secretKey, random } = installation;
  if ((await findMasterKey(database)) === undefined) return;
  const from = manifest.key
    ? { secret: manifest.key, isPassword: false }
    : secretKey && { secret: secretKey, isPassword: true };
  if (!from) {
    throw new BackupError(
      'KEY_MISSING',
      'The backup holds no key, since it was made with TRADEWIND_SECRET_KEY: set the same one here.',
    );
  }
  if (target.opener === undefined) await openMasterKey({ database, opener: from, random });
  else await resealMasterKey({ database, from, to: target.opener, random });
}

function notOurs(file: string): BackupError {
  return new BackupError(
    'NOT_A_BACKUP',
    `${resolve(file)} is a database, but not a backup: restore a file that tradewind backup wrote.`,
  );
}

function changed(file: string): BackupError {
  return new BackupError(
    'NOT_A_BACKUP',
    `${resolve(file)} was damaged or changed after the backup was written: use another copy.`,
  );
}
