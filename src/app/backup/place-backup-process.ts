import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { placeFile } from '../../kernel/process/regular-file.ts';
import { placed, placeWord } from './backup-place.ts';

/**
 * Stays root while the process that started it goes on as another user. Gives the copy its name once it is told so, and
 * else removes it. Reads nothing but that one word, and never what is in the copy.
 */
const [copy = '', file = '', mayOverwrite] = process.argv.slice(2);
// Ctrl-C goes to the whole group of processes; this one ends when the other has.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
let told = '';
for await (const text of process.stdin) told += text;
try {
  if (told === placeWord) process.exitCode = place();
} finally {
  rmSync(dirname(copy), { recursive: true, force: true });
}

function place(): number {
  if (mayOverwrite === 'true') renameSync(copy, file);
  else if (!placeFile(copy, file)) return placed.isThere;
  return placed.done;
}
