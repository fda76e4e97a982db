import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDataDir } from './create-data-dir.ts';

/**
 * A program to be named by `BROWSER`: a person who goes where the page sends them. Where the page asks
 * something it signs in as `owner` with the given password and allows.
 */
export function createAllowingBrowser(password = ''): string {
  const path = join(createDataDir(), 'browser');
  const script = fileURLToPath(new URL('children/browse-and-allow.ts', import.meta.url));
  writeFileSync(
    path,
    `#!/bin/sh\nPASSWORD='${password}' exec '${process.execPath}' '${script}' "$1"\n`,
  );
  chmodSync(path, 0o755);
  return path;
}
