import { globSync, readFileSync } from 'node:fs';
import { findLongFunctions, mostLines } from './long-functions.ts';

/** Functions that may be longer, as `file function`, and why. A table may be long, because one reads it by rows. */
const exempt: Readonly<Record<string, string>> = {};

/** Fails if a function of the product is longer than a reader can take in at once. Skips tests. */
const files = globSync('src/**/*.ts').filter((file) => !/\.(?:test|fuzz|contract)\.ts$/.test(file));
const unused = new Set(Object.keys(exempt));
let failures = 0;
for (const file of files) {
  for (const { line, name, lines } of findLongFunctions(file, readFileSync(file, 'utf8'))) {
    const place = `${file} ${name}`;
    unused.delete(place);
    if (place in exempt) continue;
    failures += 1;
    console.error(
      `${file}:${line} ${name || 'A function'} has ${lines} lines, and ${mostLines} are the most.\n  Take a decision or a part with a name of its own out of it; a table goes on the list in scripts/check-functions.ts.`,
    );
  }
}
for (const place of unused) {
  failures += 1;
  console.error(`scripts/check-functions.ts lists ${place}, which is not too long: take it off.`);
}
console.log(`functions: ${files.length} files, ${failures} problems`);
process.exitCode = failures === 0 ? 0 : 1;
