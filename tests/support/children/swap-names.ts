import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

// Swaps every name of a directory, those of drafts included, for a link to a file of somebody else and back, until it is ended.
const [dataDir = '', target = ''] = process.argv.slice(2);
const aside = join(dataDir, '..aside');
mkdirSync(aside);
const until = Date.now() + 300_000;
process.stdout.write('ready\n');
for (let turn = 0; Date.now() < until; turn++) {
  for (const name of readdirSync(dataDir)) {
    if (name === '..aside') continue;
    const path = join(dataDir, name);
    const isDraft = name.includes('ing-');
    try {
      renameSync(path, join(aside, name));
      symlinkSync(isDraft ? dirname(target) : target, path);
      if (turn % 3 === 0) continue;
      rmSync(path, { force: true });
      renameSync(join(aside, name), path);
    } catch {
      // Somebody else was there first, which is what this is for.
    }
  }
}
