import { join } from 'node:path';
import type { DataDirectory } from '../../../../kernel/files/data-directory.ts';
import { FileError } from '../../../../kernel/files/file-error.ts';
import { readPrivateFile } from '../../../../kernel/files/regular-file.ts';

/** Where a running server writes its credential, in its data directory. */
export const operatorCredentialFile = 'operator.token';

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
