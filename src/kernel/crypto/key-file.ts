import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { drawHex, drawText, type Random } from '../model/random.ts';
import { makePrivateFile, placeFile, readPrivateFile } from '../process/regular-file.ts';

/**
 * The secret in the key file of a data directory, made at the first call. The file is readable by
 * its owner alone; whoever has it and the database beside it can read every sealed secret. Throws `NOT_A_FILE` for a
 * link, pipe or directory in its place.
 */
export function readKeyFile(dataDir: string, random: Random): string {
  const path = keyFileIn(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    return readPrivateFile(path, { keepToOwner: true });
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  const draft = `${path}.${drawHex(random, 8)}`;
  try {
    makePrivateFile(draft, drawText(random, 32));
    placeFile(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  return readPrivateFile(path);
}

/** Where the key file lies in a data directory. */
export function keyFileIn(dataDir: string): string {
  return join(dataDir, 'master.key');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
