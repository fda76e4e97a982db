import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDataDir } from './create-data-dir.ts';

/**
 * A program for `BROWSER`. It plays a person who follows the page's redirects, signs in as the owner if asked for
 * a password, and allows access.
 */
export function createAllowingBrowser(password = ''): string {
  const path = join(createDataDir(), 'browser');
  const script = fileURLToPath(new URL('children/browse-and-allow.ts', import.meta.url));
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${script}' '${password}' "$1"\n`);
  chmodSync(path, 0o755);
  return path;
}
