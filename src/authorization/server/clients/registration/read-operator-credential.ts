import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a running server writes its credential, in its data directory. */
export const operatorCredentialFile = 'operator.token';

/** The credential that a running server wrote to its data directory, if it can be read. */
export function readOperatorCredential(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, operatorCredentialFile), 'utf8');
  } catch {
    return undefined; // no server has run here, or it was another user's
  }
}
