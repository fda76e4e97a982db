import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeFile } from '../place-file.ts';
import { drawText } from '../random/draw-text.ts';
import type { Random } from '../random/random.ts';

/**
 * The secret in the key file of a data directory, made at the first call. The file is readable by
 * its owner alone; whoever has it and the database beside it can read every sealed secret.
 */
export function readKeyFile(dataDir: string, random: Random): string {
  const path = keyFileIn(dataDir);
  const draft = `${path}.${process.pid}`;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    const secret = readFileSync(path, 'utf8');
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    return secret;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  writeFileSync(draft, drawText(random, 32), { mode: 0o600, flush: true });
  try {
    placeFile(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8');
}

/** Where the key file lies in a data directory. */
export function keyFileIn(dataDir: string): string {
  return join(dataDir, 'master.key');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
