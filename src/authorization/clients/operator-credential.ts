import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashSecret } from '../../kernel/crypto/hash.ts';
import { drawHex, drawText, type Random } from '../../kernel/model/random.ts';
import type { DataDirectory } from '../../kernel/process/data-directory.ts';
import { FileError, makePrivateFile, readPrivateFile } from '../../kernel/process/regular-file.ts';

/** The credential of everyone who can read the data directory. The command line manages clients with it. */
type OperatorCredential = {
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

/** Where a running server writes its credential, in its data directory. */
const operatorCredentialFile = 'operator.token';

/**
 * The credential that a running server wrote to its data directory, if it can be read. Returns nothing else that may
 * be in the file. Throws `NOT_A_FILE` for a link or pipe in its place.
 */
export function readOperatorCredential(dataDir: DataDirectory): string | undefined {
  try {
    const text = readPrivateFile(join(dataDir, operatorCredentialFile));
    return /^[\w-]{20,100}$/.test(text) ? text : undefined;
  } catch (error) {
    if (error instanceof FileError) throw error;
    return undefined; // no server has run here, or it was another user's
  }
}
