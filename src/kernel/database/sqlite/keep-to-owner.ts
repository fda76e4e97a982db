import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

/**
 * Makes a database file that its owner alone can read, or takes the right to read an existing one from
 * everybody else (F19). Files that the engine puts beside it take over its rights. The directory alone is
 * no protection: it may have been there before.
 *
 * Does nothing for what cannot be changed: then the file belongs to somebody else, who has decided.
 */
export function keepToOwner(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
    const beside = ['-wal', '-shm', '-journal'].map((ending) => `${path}${ending}`);
    for (const file of [path, ...beside.filter((name) => existsSync(name))]) chmodSync(file, 0o600);
  } catch {
    // Opening the database tells of whatever stands in its way.
  }
}
