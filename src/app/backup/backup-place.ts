import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  fstatSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { DomainError } from '../../kernel/model/domain-error.ts';
import {
  type DataDirectory,
  type Owner,
  ownerToBecome,
} from '../../kernel/process/data-directory.ts';
import { placeFile } from '../../kernel/process/regular-file.ts';

type BackupErrorCode =
  /** The target exists, and overwriting it was not allowed. */
  | 'WOULD_OVERWRITE'
  /** The folder of the file is missing or cannot be written to. */
  | 'NOT_WRITABLE'
  /** There is nothing to back up. */
  | 'NO_DATABASE'
  /** The file is not a whole backup. */
  | 'NOT_A_BACKUP'
  /** The key that opens the sealed secrets is missing. */
  | 'KEY_MISSING'
  /** A server uses the database that is to be replaced. */
  | 'SERVER_RUNS'
  /** The database and this program are of different versions. */
  | 'OTHER_VERSION';

/** Why no backup was made or restored. Nothing was changed then. */
export class BackupError extends DomainError<BackupErrorCode> {}

const entry = new URL(`place-backup-process${extname(import.meta.url)}`, import.meta.url);

/** What the process that stays root is told, and the exit codes by which it answers. */
export const placeWord = 'place';
export const placed = { done: 10, isThere: 11 } as const;

/** Where a backup is made and where it comes to lie. */
type BackupPlace = {
  /** The path at which the backup is to be made, in a directory of its own. */
  makeDraft(dataDir: DataDirectory | undefined): string;
  /** Gives the finished draft its name, and returns its size. Throws `WOULD_OVERWRITE`. */
  take(draft: string): Promise<number>;
  /** Removes whatever is left of drafts. */
  close(): Promise<void>;
};

type PlaceOptions = { readonly file: string; readonly mayOverwrite: boolean };

/**
 * Decides where a backup is made, while this process may still be root. If it stays who it is, or the folder of the file belongs to
 * the user it becomes, the draft is made beside the file. If it gives up root and the folder is root's, the draft is made in the data
 * directory, and a small process that stays root gives the copy its name. Throws `FOREIGN_DIRECTORY` if the folder is a third user's.
 */
export function chooseBackupPlace(
  options: PlaceOptions & {
    /** The embedded data directory, which was not entered yet. */
    readonly dataDir: string | undefined;
  },
): BackupPlace {
  const { file, dataDir } = options;
  const becomes = dataDir === undefined ? undefined : ownerToBecome(dataDir);
  // Of a file that is not there yet, since nothing of what has the name is opened.
  const ownerThere = ownerToBecome(`${file}.partial-`);
  if (ownerThere !== undefined && ownerThere.uid !== becomes?.uid) throw foreign(file, ownerThere);
  return becomes === undefined || ownerThere !== undefined ? besideFile(options) : asRoot(options);
}

function besideFile({ file, mayOverwrite }: PlaceOptions): BackupPlace {
  let directory: string | undefined;
  return {
    makeDraft() {
      directory = makeDirectory(file, `${file}.partial-`);
      return join(directory, 'backup.db');
    },
    async take(draft) {
      if (mayOverwrite) renameSync(draft, file);
      else if (!placeFile(draft, file)) throw wouldOverwrite(file);
      return statSync(file).size;
    },
    async close() {
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Opens the copy and starts the process that names it before root is given up; afterwards neither would work. */
function asRoot({ file, mayOverwrite }: PlaceOptions): BackupPlace {
  const folder = makeDirectory(file, `${file}.partial-`);
  const copy = join(folder, 'backup.db');
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const descriptor = openSync(copy, O_WRONLY | O_CREAT | O_EXCL, 0o600);
  const placer = spawn(process.execPath, [fileURLToPath(entry), copy, file, String(mayOverwrite)], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(placer, 'exit').then(
    ([code]) => code as number | null,
    () => null,
  );
  // If it has ended, its exit code says so.
  placer.stdin.on('error', () => {});
  let directory: string | undefined;
  return {
    makeDraft(dataDir) {
      directory = makeDirectory(file, join(dataDir ?? folder, 'backing-up-'));
      return join(directory, 'backup.db');
    },
    async take(draft) {
      await pipeline(
        createReadStream(draft),
        createWriteStream(copy, { fd: descriptor, autoClose: false }),
      );
      fsyncSync(descriptor);
      const { size } = fstatSync(descriptor);
      placer.stdin.end(placeWord);
      const code = await ended;
      if (code === placed.isThere) throw wouldOverwrite(file);
      if (code !== placed.done) throw notWritable(file, `the copy got no name, ${code}`);
      return size;
    },
    async close() {
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
      closeSync(descriptor);
      placer.stdin.end();
      await ended;
    },
  };
}

/** Makes a directory, best beside the file, so that the draft can be moved into place atomically. */
function makeDirectory(file: string, prefix: string): string {
  try {
    return mkdtempSync(prefix);
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException; // the file system throws nothing else
    throw notWritable(file, code, dirname(prefix), cause);
  }
}

function notWritable(file: string, code: string, folder = dirname(file), cause?: unknown) {
  return new BackupError(
    'NOT_WRITABLE',
    `${folder} cannot be written to (${code}): make that folder, or name a file in another one.`,
    { cause },
  );
}

export function wouldOverwrite(file: string): BackupError {
  return new BackupError(
    'WOULD_OVERWRITE',
    `${file} is there already: name another file, or allow it with --overwrite.`,
  );
}

function foreign(file: string, { uid }: Owner): BackupError {
  return new BackupError(
    'NOT_WRITABLE',
    `${dirname(file)} can be changed by user ${uid}, and root writes no backup there: name a file in a folder of root such as /var/backups, or run the command as a user who may do both.`,
  );
}
