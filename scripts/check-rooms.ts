import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findCircles, findImports } from './rooms.ts';

/** In a folder with more files a reader has to search. */
const mostFiles = 15;

/** Folders that may have more, and why. In a list of similar things a reader finds a name without a search. */
const lists: Readonly<Record<string, string>> = {
  'src/swap/deployments/chains': 'a file for each chain',
  'src/cli/commands': 'a file for each command',
  'src/cli/render': 'a file for each thing that is shown',
  'src/authorization/server/store': 'a file for each store',
  'src/events/store/migrations': 'a file for each migration',
};

/**
 * Fails if files or rooms (folders) of the product import each other in a circle, or if a room has more than
 * {@link mostFiles} files. Skips tests.
 */
const files = globSync('src/**/*.ts').filter(
  (file) => !/\.(?:test|fuzz|contract)\.ts$/.test(file) && !file.startsWith('src/console/vendor/'),
);
const problems: string[] = [];
const imports = files.flatMap((file) => findImports(file, readFileSync(file, 'utf8')));
for (const { folder, entries, imports: steps } of findCircles(imports)) {
  const shown = steps.slice(0, 10).map(({ from, to }) => `\n  ${from} imports ${to}`);
  problems.push(`${folder}: ${entries.join(', ')} need each other in a circle.${shown.join('')}`);
}
const rooms = Map.groupBy(files, dirname);
for (const [room, { length }] of rooms) {
  if (length <= mostFiles || room in lists) continue;
  problems.push(
    `${room} has ${length} files, and ${mostFiles} are the most: give some a room named by what they do; a list of like things goes on the list in scripts/check-rooms.ts.`,
  );
}
for (const room of Object.keys(lists)) {
  if ((rooms.get(room)?.length ?? 0) > mostFiles) continue;
  problems.push(`scripts/check-rooms.ts lists ${room}, which is not too full: take it off.`);
}
for (const problem of problems) console.error(problem);
console.log(`rooms: ${rooms.size}, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
