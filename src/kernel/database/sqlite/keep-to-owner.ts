import { closeSync, constants, existsSync, fchmodSync } from 'node:fs';
import { FileError } from '../../files/file-error.ts';
import { openRegular } from '../../files/regular-file.ts';

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT } = constants;

/**
 * Creates a database file that only its owner can read, or removes all other permissions from an existing
 * one (F19). Files that the engine creates beside it inherit its permissions. The directory alone is no
 * protection: it may have existed before. Throws `NOT_A_FILE` for anything but a file.
 *
 * Ignores other failures: then the file belongs to another user, who decides on its permissions.
 */
export function keepToOwner(path: string): void {
  keep(path, O_WRONLY | O_APPEND | O_CREAT);
  const beside = ['-wal', '-shm', '-journal'].map((ending) => `${path}${ending}`);
  for (const file of beside.filter((name) => existsSync(name))) keep(file, O_RDONLY);
}

function keep(path: string, flags: number): void {
  try {
    const file = openRegular(path, flags, 0o600);
    try {
      fchmodSync(file, 0o600);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof FileError) throw error;
    // Opening the database reports what is wrong.
  }
}
