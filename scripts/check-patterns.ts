import { globSync, readFileSync } from 'node:fs';
import { findPatternProblem, findPatterns } from './patterns.ts';
import { findUnboundedCalls } from './unbounded-calls.ts';

/**
 * Fails if a regular expression of the product may take more than linear time (N1), or if the product calls a platform
 * function that may. Skips tests, because their input is our own.
 */
const files = globSync(['src/**/*.ts', 'bin/*.js']).filter(
  (file) => !/\.(?:test|fuzz|contract)\.ts$/.test(file),
);
const problems = new Map<string, string | undefined>();
let failures = 0;
for (const file of files) {
  const content = readFileSync(file, 'utf8');
  for (const { line, text, instead } of findUnboundedCalls(file, content)) {
    if (file.includes('kernel/text/')) continue;
    // In the browser of whoever trusts this server, which it alone would hold up.
    if (text.endsWith('.json()') && /browser\/|wallet-script/.test(file)) continue;
    failures += 1;
    console.error(`${file}:${line} ${text}\n  It has no bound: call ${instead}.`);
  }
  for (const pattern of findPatterns(file, content)) {
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
