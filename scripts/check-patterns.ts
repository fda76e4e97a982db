import { globSync, readFileSync } from 'node:fs';
import { findPatternProblem, findPatterns } from './patterns.ts';

/**
 * Fails where a regular expression of the product may take more than linear time (N1). Tests are left
 * out: nobody but us gives them input.
 */
const files = globSync(['src/**/*.ts', 'bin/*.js']).filter(
  (file) => !/\.(?:test|fuzz|contract)\.ts$/.test(file),
);
const problems = new Map<string, string | undefined>();
let failures = 0;
for (const file of files) {
  for (const pattern of findPatterns(file, readFileSync(file, 'utf8'))) {
    const { line, text } = pattern;
    if (!problems.has(text)) problems.set(text, findPatternProblem(pattern));
    const problem = problems.get(text);
    if (problem === undefined) continue;
    failures += 1;
    console.error(`${file}:${line} ${text}\n  It ${problem}.`);
  }
}
console.log(`patterns: ${problems.size} in ${files.length} files, ${failures} not linear`);
process.exitCode = failures === 0 ? 0 : 1;
