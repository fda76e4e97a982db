import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDataDir } from './create-data-dir.ts';

/**
 * A program to be named by `BROWSER`: a person who goes where the page sends them, signs in as the owner
 * where it asks for a password, and allows.
 */
export function createAllowingBrowser(password = ''): string {
  const path = join(createDataDir(), 'browser');
  const script = fileURLToPath(new URL('children/browse-and-allow.ts', import.meta.url));
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${script}' '${password}' "$1"\n`);
  chmodSync(path, 0o755);
  return path;
}
