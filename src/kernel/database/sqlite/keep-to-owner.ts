import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

/**
 * Creates a database file that only its owner can read, or removes all other permissions from an existing
 * one (F19). Files that the engine creates beside it inherit its permissions. The directory alone is no
 * protection: it may have existed before.
 *
 * Ignores a failure: then the file belongs to another user, who decides on its permissions.
 */
export function keepToOwner(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
    const beside = ['-wal', '-shm', '-journal'].map((ending) => `${path}${ending}`);
    for (const file of [path, ...beside.filter((name) => existsSync(name))]) chmodSync(file, 0o600);
  } catch {
    // Opening the database reports what is wrong.
  }
}
