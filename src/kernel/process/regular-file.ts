import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { DomainError } from '../model/domain-error.ts';

/** Windows has neither. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
/** Keys, tokens and sealed entries take some kilobytes at most. */
const mostBytes = 1024 * 1024;

/**
 * Opens a regular file and nothing else: follows no link at the end of the path, and does not wait for the other end of a pipe.
 * Throws `NOT_A_FILE`, and the errors of the file system.
 */
export function openRegular(path: string, flags: number, mode?: number): number {
  let file: number;
  try {
    file = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, mode);
  } catch (error) {
    // The error of the system says neither what is there nor what to do.
    requireRegular(path);
    throw error;
  }
  const stats = fstatSync(file);
  if (stats.isFile()) return file;
  closeSync(file);
  throw notRegular(path, stats);
}

/** Throws `NOT_A_FILE` if anything but a regular file is there. Does not throw if nothing is there or nobody may look. */
export function requireRegular(path: string): void {
  const stats = look(path);
  if (stats !== undefined && !stats.isFile()) throw notRegular(path, stats);
}

/** The text of a file with a key or token. `keepToOwner` takes the permissions of others away. */
export function readPrivateFile(path: string, { keepToOwner = false } = {}): string {
  const file = openRegular(path, constants.O_RDONLY);
  try {
    const { mode, size } = fstatSync(file);
    if (size > mostBytes) {
      throw new FileError(
        'NOT_A_FILE',
        `${path} has ${size} bytes, and a key or token at most ${mostBytes}: it is none of ours, so move it away.`,
      );
    }
    if (keepToOwner && (mode & 0o077) !== 0) fchmodSync(file, 0o600);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Makes a file of mode 0600 and waits until it is on the disk. Replaces nothing: throws `EEXIST` whatever is there. */
export function makePrivateFile(path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function notRegular(path: string, stats: Stats): FileError {
  return new FileError(
    'NOT_A_FILE',
    `${path} is ${describeKind(stats)}, and only a regular file may be there: find out who put it there, and move it away.`,
  );
}

/**
 * Gives a finished file its name, unless there is a file of that name. Returns whether it did. The draft may still be
 * there afterwards. Unlike a rename, a link never replaces a file that another process made meanwhile; only a file
 * system without links leaves that possible.
 */
export function placeFile(draft: string, path: string, link = linkSync): boolean {
  try {
    link(draft, path);
    return true;
  } catch (error) {
    if (existsSync(path)) return false;
    const { code = '' } = error as NodeJS.ErrnoException; // the file system throws nothing else
    if (!withoutLinks.has(code)) throw error;
  }
  renameSync(draft, path);
  return true;
}

/** The errors of file systems that have no links. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

type FileErrorCode =
  /** Something else is where a file of ours is expected. */
  | 'NOT_A_FILE'
  /** Root would work in a directory that another user can change, and cannot do so as that user. */
  | 'FOREIGN_DIRECTORY';

/** Why a file or directory was not touched. */
export class FileError extends DomainError<FileErrorCode> {}

/** The kind of something that is no regular file, for people. */
export function describeKind(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return stats.isFile() ? 'a file' : 'a device';
}
