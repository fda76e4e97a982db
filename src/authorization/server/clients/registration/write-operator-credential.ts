import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashSecret } from '../../../../kernel/crypto/secret-hash.ts';
import type { DataDirectory } from '../../../../kernel/files/data-directory.ts';
import { makePrivateFile } from '../../../../kernel/files/regular-file.ts';
import { drawHex, drawText } from '../../../../kernel/random/draw-text.ts';
import type { Random } from '../../../../kernel/random/random.ts';
import { operatorCredentialFile, readOperatorCredential } from './read-operator-credential.ts';

/** The credential of everyone who can read the data directory. The command line manages clients with it. */
export type OperatorCredential = {
  readonly hash: string;
  /** Removes the file, unless another process has written its own there since. */
  remove(): void;
};

/**
 * Makes a new credential and writes it to the data directory, readable by its owner alone. It is valid while this
 * process runs.
 */
export function writeOperatorCredential(
  dataDir: DataDirectory,
  random: Random,
): OperatorCredential {
  const token = drawText(random, 32);
  const path = join(dataDir, operatorCredentialFile);
  const draft = `${path}.${drawHex(random, 8)}`;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    makePrivateFile(draft, token);
    // Replaces the old file: one that was left behind with looser permissions would keep them.
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return {
    hash: hashSecret(token),
    remove() {
      try {
        if (readOperatorCredential(dataDir) === token) rmSync(path, { force: true });
      } catch {
        // If the directory has become read-only, the file stays. It is worthless once this process has ended.
      }
    },
  };
}
