import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findCircles, findImports } from './rooms.ts';

/** Fails if files or rooms (folders) of the product import each other in a circle. Skips tests. */
const files = globSync('src/**/*.ts').filter(
  (file) => !/\.(?:test|fuzz|contract)\.ts$/.test(file) && !file.startsWith('src/console/vendor/'),
);
const problems: string[] = [];
const imports = files.flatMap((file) => findImports(file, readFileSync(file, 'utf8')));
for (const { folder, entries, imports: steps } of findCircles(imports)) {
  const shown = steps.slice(0, 10).map(({ from, to }) => `\n  ${from} imports ${to}`);
  problems.push(`${folder}: ${entries.join(', ')} need each other in a circle.${shown.join('')}`);
}
const rooms = new Set(files.map((file) => dirname(file)));
for (const problem of problems) console.error(problem);
console.log(`rooms: ${rooms.size}, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
