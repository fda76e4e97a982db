import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashSecret } from '../../../../kernel/crypto/secret-hash.ts';
import { drawText } from '../../../../kernel/draw-text.ts';
import type { Random } from '../../../../kernel/random.ts';
import { operatorCredentialFile, readOperatorCredential } from './read-operator-credential.ts';

/** The credential of whoever may read the data directory: with it the command line manages clients. */
export type OperatorCredential = {
  readonly hash: string;
  /** Takes the file away, unless another process has put its own there since. */
  remove(): void;
};

/**
 * Makes a new credential and writes it to the data directory, readable by its owner alone. It is valid while this
 * process runs.
 */
export function writeOperatorCredential(dataDir: string, random: Random): OperatorCredential {
  const token = drawText(random, 32);
  const path = join(dataDir, operatorCredentialFile);
  const draft = `${path}.${process.pid}`;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(draft, token, { mode: 0o600 });
  // A new file in the place of the old: one left behind with looser rights would keep them.
  renameSync(draft, path);
  return {
    hash: hashSecret(token),
    remove() {
      try {
        if (readOperatorCredential(dataDir) === token) rmSync(path, { force: true });
      } catch {
        // A directory that may only be read by now keeps it: it is good for nothing once this process has ended.
      }
    },
  };
}
