import {
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DatabaseError, type Queries } from '../../kernel/database/database.ts';
import { enterDataDirectory, ownerToBecome } from '../../kernel/process/data-directory.ts';
import { findPathControl } from '../../kernel/process/path-control.ts';
import { describeKind } from '../../kernel/process/regular-file.ts';
import { type Installation, type OnProgress, percentOf } from '../installation/installation.ts';
import { findMasterKey, openMasterKey, resealMasterKey } from '../installation/master-key.ts';
import { type BackupManifest, takeManifest } from './backup-manifest.ts';
import { BackupError } from './backup-place.ts';
import { openFileTarget, openPostgresTarget, type RestoreTarget } from './restore-targets.ts';
import { digestRows, withWholeDatabase } from './whole-database.ts';

export type RestoredBackup = Omit<BackupManifest, 'key' | 'digest'> & {
  readonly rows: number;
  /** What holds the rows now, for people. */
  readonly database: string;
};

type RestoreBackupOptions = {
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

const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

/**
 * Opens a backup for reading, while this process may still be root. As root it takes a file that another user can exchange only if
 * it belongs to that user: root would else read for them what they must not read. Returns the descriptor. Throws `NOT_A_BACKUP`.
 */
function openBackupFile(path: string): number {
  const file = open(path);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) {
      throw new BackupError(
        'NOT_A_BACKUP',
        `${resolve(path)} is ${describeKind(stats)}: restore a file that tradewind backup wrote.`,
      );
    }
    if (process.geteuid?.() === 0) refuseExchanged(path, stats);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function open(path: string): number {
  try {
    return openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // the file system throws nothing else
    const message =
      code === 'ENOENT'
        ? `There is no file ${resolve(path)}.`
        : `${resolve(path)} cannot be opened (${code}): restore a file that tradewind backup wrote, and that this user may read.`;
    throw new BackupError('NOT_A_BACKUP', message, { cause });
  }
}

function refuseExchanged(path: string, { uid }: Stats): void {
  const { others } = findPathControl(path);
  if (others.size === 0 || (others.size === 1 && others.has(uid))) return;
  const [[who, where] = []] = others;
  throw new BackupError(
    'NOT_A_BACKUP',
    `${resolve(path)} belongs to user ${uid}, and ${who === 'anyone' ? 'others' : `user ${who}`} can put another file in its place (${where}): copy it to a folder of root, look at whose it is, and restore it from there.`,
  );
}
